noinst_LTLIBRARIES += core/policy/libpolicy.la
core_policy_libpolicy_la_CPPFLAGS = $(CORE_CPPFLAGS)
core_policy_libpolicy_la_SOURCES = \
	core/policy/ancestry.c core/policy/ancestry.h \
	core/policy/axes.c core/policy/axes.h \
	core/policy/constructs.c core/policy/constructs.h \
	core/policy/environment.c core/policy/environment.h \
	core/policy/environment_rules.c core/policy/environment_rules.h \
	core/policy/git_files.c core/policy/git_files.h \
	core/policy/git_find.c core/policy/git_find.h \
	core/policy/git_index.c core/policy/git_index.h \
	core/policy/git_paths.c core/policy/git_paths.h \
	core/policy/glob.c core/policy/glob.h \
	core/policy/homes.c core/policy/homes.h \
	core/policy/jobserver.c core/policy/jobserver.h \
	core/policy/limits.c core/policy/limits.h \
	core/policy/model.c core/policy/model.h \
	core/policy/own.c core/policy/own.h \
	core/policy/parents.c core/policy/parents.h \
	core/policy/paths.c core/policy/paths.h core/policy/paths_pattern.c core/policy/paths_settle.c \
	core/policy/policy.c core/policy/policy.h \
	core/policy/presence.c core/policy/presence.h \
	core/policy/relocations.c core/policy/relocations.h

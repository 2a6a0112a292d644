noinst_LTLIBRARIES += core/cgroup/libcgroup.la
core_cgroup_libcgroup_la_CPPFLAGS = $(CORE_CPPFLAGS)
core_cgroup_libcgroup_la_SOURCES = core/cgroup/group.h core/cgroup/levels.c core/cgroup/levels.h
if !MACOS
core_cgroup_libcgroup_la_SOURCES += core/cgroup/find.c core/cgroup/find.h core/cgroup/group.c \
	core/cgroup/files.c core/cgroup/files.h core/cgroup/mounts.c core/cgroup/mounts.h core/cgroup/place.c core/cgroup/place.h \
	core/cgroup/stale.c core/cgroup/stale.h core/cgroup/trial.c
endif

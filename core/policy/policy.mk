noinst_LTLIBRARIES += core/policy/libpolicy.la
core_policy_libpolicy_la_CPPFLAGS = $(CORE_CPPFLAGS)
core_policy_libpolicy_la_SOURCES = core/policy/policy.h core/policy/environment.h

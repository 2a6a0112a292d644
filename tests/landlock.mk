LANDLOCK_TESTS = tests/landlock_versions tests/landlock_lower
check_PROGRAMS += $(LANDLOCK_TESTS)
TESTS += $(LANDLOCK_TESTS)
LANDLOCK_LIBS = plugins/landlock/libwalls.la core/base/libbase.la $(CMOCKA_LIBS)
tests_landlock_versions_SOURCES = tests/landlock_versions.c tests/old_kernel.c tests/old_kernel.h $(NAMESPACES_HOST)
tests_landlock_versions_CPPFLAGS = $(NAMESPACES_CPPFLAGS)
tests_landlock_versions_LDADD = $(LANDLOCK_LIBS)
tests_landlock_lower_SOURCES = tests/landlock_lower.c tests/old_kernel.c tests/old_kernel.h $(NAMESPACES_HOST)
tests_landlock_lower_CPPFLAGS = $(NAMESPACES_CPPFLAGS)
tests_landlock_lower_LDADD = $(LANDLOCK_LIBS)

check_PROGRAMS += tests/landlock_policy
TESTS += tests/landlock_policy
tests_landlock_policy_SOURCES = tests/policy_property/landlock.c $(POLICY_PROPERTY) $(NAMESPACES_HOST)
tests_landlock_policy_CPPFLAGS = $(NAMESPACES_CPPFLAGS)
tests_landlock_policy_LDADD = plugins/landlock/libwalls.la $(POLICY_TEST_LIBS)

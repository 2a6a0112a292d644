# The policy floor. Configurations are settings without files.
POLICY_TEST_PARTS = core/policy/libpolicy.la core/base/libbase.la $(CMOCKA_LIBS)
POLICY_TESTS = tests/policy_environment tests/policy_paths
check_PROGRAMS += $(POLICY_TESTS)
TESTS += $(POLICY_TESTS)
tests_policy_environment_SOURCES = tests/policy_environment.c tests/policy_fake.c tests/policy_fake.h
tests_policy_environment_CPPFLAGS = $(TEST_CPPFLAGS)
tests_policy_environment_LDADD = $(POLICY_TEST_PARTS)
tests_policy_paths_SOURCES = tests/policy_paths.c tests/policy_fake.c tests/policy_fake.h
tests_policy_paths_CPPFLAGS = $(TEST_CPPFLAGS)
tests_policy_paths_LDADD = $(POLICY_TEST_PARTS)

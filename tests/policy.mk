# The policy floor: what is made from a configuration.
POLICY_TEST_LIBS = core/policy/libpolicy.la core/config/libconfig.la core/base/libbase.la $(INIH_LIBS) \
	$(TEST_PLACES) $(CMOCKA_LIBS)
POLICY_TEST_PARTS = tests/policy_configured.c tests/policy_configured.h
POLICY_TESTS = tests/policy_constructs tests/policy_environment tests/policy_git_files tests/policy_git_find tests/policy_model tests/policy_paths tests/policy_presence \
	tests/policy_presets tests/policy_values
check_PROGRAMS += $(POLICY_TESTS)
TESTS += $(POLICY_TESTS)
tests_policy_constructs_SOURCES = tests/policy_constructs.c $(POLICY_TEST_PARTS)
tests_policy_constructs_CPPFLAGS = $(TEST_CPPFLAGS)
tests_policy_constructs_LDADD = $(POLICY_TEST_LIBS)
tests_policy_environment_SOURCES = tests/policy_environment.c $(POLICY_TEST_PARTS)
tests_policy_environment_CPPFLAGS = $(TEST_CPPFLAGS)
tests_policy_environment_LDADD = $(POLICY_TEST_LIBS)
tests_policy_git_files_SOURCES = tests/policy_git_files.c
tests_policy_git_files_CPPFLAGS = $(TEST_CPPFLAGS)
tests_policy_git_files_LDADD = $(POLICY_TEST_LIBS)
tests_policy_git_find_SOURCES = tests/policy_git_find.c
tests_policy_git_find_CPPFLAGS = $(TEST_CPPFLAGS)
tests_policy_git_find_LDADD = $(POLICY_TEST_LIBS)
tests_policy_model_SOURCES = tests/policy_model.c
tests_policy_model_CPPFLAGS = $(TEST_CPPFLAGS)
tests_policy_model_LDADD = $(POLICY_TEST_LIBS)
tests_policy_paths_SOURCES = tests/policy_paths.c $(POLICY_TEST_PARTS)
tests_policy_paths_CPPFLAGS = $(TEST_CPPFLAGS)
tests_policy_paths_LDADD = $(POLICY_TEST_LIBS)
tests_policy_presence_SOURCES = tests/policy_presence.c
tests_policy_presence_CPPFLAGS = $(TEST_CPPFLAGS)
tests_policy_presence_LDADD = $(POLICY_TEST_LIBS)
tests_policy_presets_SOURCES = tests/policy_presets.c $(POLICY_TEST_PARTS)
tests_policy_presets_CPPFLAGS = $(TEST_CPPFLAGS)
tests_policy_presets_LDADD = $(POLICY_TEST_LIBS)
tests_policy_values_SOURCES = tests/policy_values.c $(POLICY_TEST_PARTS)
tests_policy_values_CPPFLAGS = $(TEST_CPPFLAGS)
tests_policy_values_LDADD = $(POLICY_TEST_LIBS)

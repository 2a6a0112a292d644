# The floor of cgroups: what decides, without any; and mounts of them.
CGROUP_TESTS = tests/cgroup_levels tests/cgroup_mounts
check_PROGRAMS += $(CGROUP_TESTS)
TESTS += $(CGROUP_TESTS)
tests_cgroup_levels_SOURCES = tests/cgroup_levels.c
tests_cgroup_levels_CPPFLAGS = $(TEST_CPPFLAGS)
tests_cgroup_levels_LDADD = core/cgroup/libcgroup.la core/base/libbase.la $(TEST_PLACES) $(CMOCKA_LIBS)
tests_cgroup_mounts_SOURCES = tests/cgroup_mounts.c
tests_cgroup_mounts_CPPFLAGS = $(TEST_CPPFLAGS)
tests_cgroup_mounts_LDADD = $(tests_cgroup_levels_LDADD)

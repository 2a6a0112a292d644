# The preparers of wrappers, asked as the host asks them.
PREPARERS_PLACE = tests/preparers_place.c tests/preparers_place.h
check_PROGRAMS += tests/preparers_ready tests/preparers_caller
TESTS += tests/preparers_ready

tests_preparers_ready_SOURCES = tests/preparers_ready.c $(PREPARERS_PLACE) $(CONFIG_TEST_PLACE)
tests_preparers_ready_CPPFLAGS = $(TEST_CPPFLAGS)
tests_preparers_ready_LDADD = $(REGISTRY_TEST_PARTS)
tests_preparers_caller_SOURCES = tests/preparers_caller.c $(PREPARERS_PLACE)
tests_preparers_caller_CPPFLAGS = $(TEST_CPPFLAGS)
tests_preparers_caller_LDADD = $(REGISTRY_TEST_PARTS)

# With real caches, in cages; tests/preparers_inside skips what the machine lacks.
TESTS += tests/preparers_inside
EXTRA_DIST += tests/preparers_inside

CAGE_TEST_LDADD = core/cage/libcage.la core/base/libbase.la $(TEST_PLACES) $(CMOCKA_LIBS)

check_PROGRAMS += tests/cage_launch
TESTS += tests/cage_launch
tests_cage_launch_SOURCES = tests/cage_launch.c
tests_cage_launch_CPPFLAGS = $(TEST_CPPFLAGS)
tests_cage_launch_LDADD = $(CAGE_TEST_LDADD)
EXTRA_tests_cage_launch_DEPENDENCIES = pinfold-init

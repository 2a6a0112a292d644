check_LTLIBRARIES += tests/libcagescene.la
tests_libcagescene_la_SOURCES = tests/cage_scene.c tests/cage_scene.h
tests_libcagescene_la_CPPFLAGS = $(TEST_CPPFLAGS)
CAGE_TEST_LDADD = tests/libcagescene.la core/cage/libcage.la core/base/libbase.la $(TEST_PLACES) \
	$(CMOCKA_LIBS)

check_PROGRAMS += tests/cage_ending tests/cage_handed tests/cage_launch tests/cage_listener
TESTS += tests/cage_ending tests/cage_handed tests/cage_launch tests/cage_listener
tests_cage_ending_SOURCES = tests/cage_ending.c
tests_cage_ending_CPPFLAGS = $(TEST_CPPFLAGS)
tests_cage_ending_LDADD = $(CAGE_TEST_LDADD)
EXTRA_tests_cage_ending_DEPENDENCIES = pinfold-init
tests_cage_handed_SOURCES = tests/cage_handed.c
tests_cage_handed_CPPFLAGS = $(TEST_CPPFLAGS)
tests_cage_handed_LDADD = $(CAGE_TEST_LDADD)
EXTRA_tests_cage_handed_DEPENDENCIES = pinfold-init
tests_cage_launch_SOURCES = tests/cage_launch.c
tests_cage_launch_CPPFLAGS = $(TEST_CPPFLAGS)
tests_cage_launch_LDADD = $(CAGE_TEST_LDADD)
EXTRA_tests_cage_launch_DEPENDENCIES = pinfold-init
tests_cage_listener_SOURCES = tests/cage_listener.c
tests_cage_listener_CPPFLAGS = $(TEST_CPPFLAGS)
tests_cage_listener_LDADD = $(CAGE_TEST_LDADD)

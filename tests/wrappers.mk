# The wrappers' room: what could name one, what a build says, deciding, and what is kept.
WRAPPERS_TEST_LIBS = core/wrappers/libwrappers.la core/base/libbase.la $(JANSSON_LIBS) $(SODIUM_LIBS) $(CMOCKA_LIBS)
WRAPPERS_TESTS = tests/wrappers_cargo tests/wrappers_c tests/wrappers_measure tests/wrappers_kept
check_PROGRAMS += $(WRAPPERS_TESTS)
TESTS += $(WRAPPERS_TESTS)
tests_wrappers_cargo_SOURCES = tests/wrappers_cargo.c tests/wrappers_place.c tests/wrappers_place.h
tests_wrappers_cargo_CPPFLAGS = $(TEST_CPPFLAGS)
tests_wrappers_cargo_LDADD = $(WRAPPERS_TEST_LIBS)
tests_wrappers_c_SOURCES = tests/wrappers_c.c tests/wrappers_place.c tests/wrappers_place.h
tests_wrappers_c_CPPFLAGS = $(TEST_CPPFLAGS)
tests_wrappers_c_LDADD = $(WRAPPERS_TEST_LIBS)
tests_wrappers_measure_SOURCES = tests/wrappers_measure.c
tests_wrappers_measure_CPPFLAGS = $(TEST_CPPFLAGS)
tests_wrappers_measure_LDADD = $(WRAPPERS_TEST_LIBS)
tests_wrappers_kept_SOURCES = tests/wrappers_kept.c tests/wrappers_place.c tests/wrappers_place.h
tests_wrappers_kept_CPPFLAGS = $(TEST_CPPFLAGS)
tests_wrappers_kept_LDADD = $(WRAPPERS_TEST_LIBS)

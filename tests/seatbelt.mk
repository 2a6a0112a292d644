SEATBELT_TESTS = tests/seatbelt_lower tests/seatbelt_random
check_PROGRAMS += $(SEATBELT_TESTS)
TESTS += $(SEATBELT_TESTS)
EXTRA_DIST += tests/golden/seatbelt-everything.sb tests/golden/seatbelt-nothing.sb
SEATBELT_CPPFLAGS = $(TEST_CPPFLAGS) -I$(srcdir) -I$(srcdir)/tests
SEATBELT_LIBS = plugins/seatbelt/libparts.la core/base/libbase.la $(CMOCKA_LIBS)
SEATBELT_SCENE = tests/sbpl.c tests/sbpl.h tests/seatbelt_scene.c tests/seatbelt_scene.h \
	tests/namespaces_host.c tests/namespaces_host.h

tests_seatbelt_lower_SOURCES = tests/seatbelt_lower.c $(SEATBELT_SCENE)
tests_seatbelt_lower_CPPFLAGS = $(SEATBELT_CPPFLAGS)
tests_seatbelt_lower_LDADD = $(SEATBELT_LIBS)
tests_seatbelt_random_SOURCES = tests/seatbelt_random.c $(SEATBELT_SCENE)
tests_seatbelt_random_CPPFLAGS = $(SEATBELT_CPPFLAGS)
tests_seatbelt_random_LDADD = $(SEATBELT_LIBS)

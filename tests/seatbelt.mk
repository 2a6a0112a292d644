SEATBELT_TESTS = tests/seatbelt_lower tests/seatbelt_random tests/seatbelt_arm tests/seatbelt_elsewhere
check_PROGRAMS += $(SEATBELT_TESTS)
TESTS += $(SEATBELT_TESTS)
EXTRA_DIST += tests/macos/build tests/macos/check.sh tests/macos/dry-run tests/macos/first-run.sh tests/macos/inspect.py
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

# A Mac's sandbox, by the names that it has there: no libtool name, for the arm opens it by its path.
check_LTLIBRARIES += tests/fakes/mac.la
tests_fakes_mac_la_SOURCES = tests/fakes/seatbelt.c tests/fakes/seatbelt.h tests/sbpl.c tests/sbpl.h
tests_fakes_mac_la_CPPFLAGS = $(SEATBELT_CPPFLAGS)
tests_fakes_mac_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere

tests_seatbelt_arm_SOURCES = tests/seatbelt_arm.c tests/seatbelt_mac.c tests/seatbelt_mac.h \
	tests/sbpl.c tests/sbpl.h tests/namespaces_host.c tests/namespaces_host.h
tests_seatbelt_arm_CPPFLAGS = $(SEATBELT_CPPFLAGS)
tests_seatbelt_arm_LDADD = $(SEATBELT_LIBS)
EXTRA_tests_seatbelt_arm_DEPENDENCIES = tests/fakes/mac.la
tests_seatbelt_elsewhere_SOURCES = tests/seatbelt_elsewhere.c tests/namespaces_host.c tests/namespaces_host.h
tests_seatbelt_elsewhere_CPPFLAGS = $(SEATBELT_CPPFLAGS)
tests_seatbelt_elsewhere_LDADD = $(SEATBELT_LIBS)

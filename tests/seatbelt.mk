SEATBELT_TESTS = tests/seatbelt_lower tests/seatbelt_random tests/seatbelt_arm tests/seatbelt_elsewhere tests/seatbelt_run
check_PROGRAMS += $(SEATBELT_TESTS)
TESTS += $(SEATBELT_TESTS)
EXTRA_DIST += tests/macos/build tests/macos/check.sh tests/macos/dry-run tests/macos/first-run.sh tests/macos/inspect.py
EXTRA_DIST += tests/seatbelt.rows tests/golden/seatbelt-everything.sb tests/golden/seatbelt-nothing.sb
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
EXTRA_tests_seatbelt_elsewhere_DEPENDENCIES = tests/fakes/mac.la

# The arm's own module, which finds the fake, in a directory of modules.
check_LTLIBRARIES += tests/fakes/on_mac/seatbelt.la
tests_fakes_on_mac_seatbelt_la_SOURCES = plugins/seatbelt/seatbelt.c tests/fakes/on-mac.c
tests_fakes_on_mac_seatbelt_la_CPPFLAGS = $(SEATBELT_CPPFLAGS)
tests_fakes_on_mac_seatbelt_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere
tests_fakes_on_mac_seatbelt_la_LIBADD = plugins/seatbelt/libparts.la
check_DATA += tests/fakes/on_mac/stamp
tests/fakes/on_mac/stamp: tests/fakes/on_mac/seatbelt.la plugins/copytree/copytree.la
	$(AM_V_GEN)rm -rf tests/fakes/on_mac/modules && $(MKDIR_P) tests/fakes/on_mac/modules && \
	chmod 0755 tests/fakes/on_mac tests/fakes/on_mac/modules && \
	cp tests/fakes/on_mac/.libs/seatbelt.so plugins/copytree/.libs/copytree.so tests/fakes/on_mac/modules/ && touch $@
CLEANFILES += tests/fakes/on_mac/stamp tests/fakes/on_mac/modules/*.so

# Whole runs; what ends descriptors at exec, and which arm is taken where nobody names one, is a Mac's.
tests_seatbelt_run_SOURCES = tests/seatbelt_run.c tests/fakes/seatbelt.h core/base/places.c tests/fakes/mac-keys.c \
	core/macos/others.c $(FACE_TEST_OPEN)
tests_seatbelt_run_CPPFLAGS = -I$(srcdir) $(tests_libplaces_la_CPPFLAGS) -UPLACES_PLUGINS \
	-DPLACES_PLUGINS='"$(abs_builddir)/tests/fakes/on_mac/modules"' $(TEST_CPPFLAGS)
tests_seatbelt_run_LDADD = $(FACE_LIBS) $(CMOCKA_LIBS)
EXTRA_tests_seatbelt_run_DEPENDENCIES = tests/fakes/mac.la tests/fakes/on_mac/stamp tests/seatbelt_asks
check_PROGRAMS += tests/seatbelt_asks
tests_seatbelt_asks_SOURCES = tests/seatbelt_asks.c tests/fakes/seatbelt.h
tests_seatbelt_asks_CPPFLAGS = $(SEATBELT_CPPFLAGS)
tests_seatbelt_asks_LDADD =

# Ways out of a cage: `cases` tries them inside, `escape` attacks itself with them and judges every arm.
ESCAPE_CLASSES = tests/escape/terminal.c tests/escape/foreign.c tests/escape/foreign.h tests/escape/inherited.c \
	tests/escape/proc.c tests/escape/sockets.c tests/escape/processes.c tests/escape/endings.c tests/escape/ipc.c \
	tests/escape/mounts.c tests/escape/masks.c tests/escape/writes.c tests/escape/links.c \
	tests/escape/privileges.c tests/escape/programs.c tests/escape/kernel.c tests/escape/network.c \
	tests/escape/overlay.c tests/escape/places.c tests/escape/environment.c tests/escape/afterwards.c \
	tests/escape/starving.c
check_PROGRAMS += tests/escape/cases
tests_escape_cases_SOURCES = tests/escape/cases.c tests/escape/case.c tests/escape/case.h tests/escape/how.h tests/escape/twins.c \
	$(ESCAPE_CLASSES)
# Static, and without sanitizers: it must run wherever a command can.
tests_escape_cases_CFLAGS = $(WARN_CFLAGS) -Wno-missing-field-initializers
tests_escape_cases_LDFLAGS = -all-static
tests_escape_cases_LDADD = -lpthread -lrt

# The host's side; the judge alone is tested by a program of its own.
check_PROGRAMS += tests/escape/escape
tests_escape_escape_SOURCES = tests/escape/escape.c tests/escape/arms.c tests/escape/arms.h tests/escape/judge.c \
	tests/escape/judge.h tests/escape/running.c tests/escape/running.h tests/escape/terminals.c tests/escape/terminals.h \
	tests/escape/trials.c tests/escape/trials.h tests/escape/trials_after.c tests/escape/watch.c tests/escape/watch.h \
	tests/escape/world.c tests/escape/world.h tests/escape/world_files.c tests/escape/world_services.c \
	tests/escape/world_victim.c tests/escape/how.h
tests_escape_escape_CFLAGS = $(AM_CFLAGS) -Wno-missing-field-initializers
tests_escape_escape_LDADD = $(JANSSON_LIBS) -lrt -lutil
check_LTLIBRARIES += tests/escape/preload.la
tests_escape_preload_la_SOURCES = tests/escape/preload.c
tests_escape_preload_la_CFLAGS = $(WARN_CFLAGS) -Wno-missing-prototypes
tests_escape_preload_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere

# The judge is judged: by itself, and with arms that lie, each in another way.
check_PROGRAMS += tests/escape_judge
TESTS += tests/escape_judge
tests_escape_judge_SOURCES = tests/escape_judge.c tests/escape/judge.c tests/escape/judge.h
tests_escape_judge_CPPFLAGS = $(TEST_CPPFLAGS) -I$(srcdir)/tests
tests_escape_judge_LDADD = $(CMOCKA_LIBS)

LIARS = tests/fakes/claims-to-confine.la tests/fakes/refuses-everything.la tests/fakes/holds-without-saying.la
check_LTLIBRARIES += $(LIARS)
tests_fakes_claims_to_confine_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_refuses_everything_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_holds_without_saying_la_LDFLAGS = $(FAKE_LINK)
check_DATA += tests/escape/liars/stamp
tests/escape/liars/stamp: $(LIARS) tests/modules/stamp
	$(AM_V_GEN)rm -rf tests/escape/liars && $(MKDIR_P) tests/escape/liars && chmod 0755 tests/escape/liars && \
	cp tests/modules/copytree.so tests/escape/liars/ && \
	for la in $(LIARS); do \
		cp "tests/fakes/.libs/$$(basename $$la .la).so" tests/escape/liars/ || exit 1; \
	done && touch $@
CLEANFILES += tests/escape/liars/stamp tests/escape/liars/*.so

# The command, with those modules and no others.
check_PROGRAMS += tests/escape/pinfold-of-liars
tests_escape_pinfold_of_liars_SOURCES = core/cli/main.c core/base/places.c
tests_escape_pinfold_of_liars_CPPFLAGS = $(tests_libplaces_la_CPPFLAGS) -UPLACES_PLUGINS \
	-DPLACES_PLUGINS='"$(abs_builddir)/tests/escape/liars"'
tests_escape_pinfold_of_liars_LDADD = core/cli/libcli.la plugins/built_in/libbuilt_in.la $(FACE_LIBS)


TESTS += tests/escape/lies tests/escape/check-document
EXTRA_DIST += tests/escape/lies tests/escape/document tests/escape/check-document SECURITY.md

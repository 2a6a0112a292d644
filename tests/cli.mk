# The command and the library's face. tests/bin/pinfold is the command as it will be installed, but for
# its places, which lie in the build tree.
FACE_LIBS = core/face/libface.la $(CORE_PARTS) $(TEST_PLACES) \
	$(LTDL_LIBS) $(INIH_LIBS) $(JANSSON_LIBS) $(SODIUM_LIBS) -lpthread
check_PROGRAMS += tests/bin/pinfold
tests_bin_pinfold_SOURCES = core/cli/main.c
tests_bin_pinfold_LDADD = core/cli/libcli.la plugins/built_in/libbuilt_in.la $(FACE_LIBS)

CLI_TESTS = tests/cli_options tests/cli_verbs tests/face_begun tests/face_errors tests/face_exec tests/face_hard tests/face_identity tests/face_library tests/face_lifetime tests/face_refused tests/face_terminal tests/face_threads tests/serve_lines
check_PROGRAMS += $(CLI_TESTS)
TESTS += $(CLI_TESTS)
FACE_TEST_PLACE = tests/face_place.c tests/face_place.h
FACE_TEST_OPEN = tests/face_open.c tests/face_open.h $(FACE_TEST_PLACE)

tests_cli_options_SOURCES = tests/cli_options.c
tests_cli_options_CPPFLAGS = $(TEST_CPPFLAGS)
tests_cli_options_LDADD = core/cli/libcli.la plugins/built_in/libbuilt_in.la $(FACE_LIBS) $(CMOCKA_LIBS)

tests_cli_verbs_SOURCES = tests/cli_verbs.c $(FACE_TEST_PLACE)
tests_cli_verbs_CPPFLAGS = $(TEST_CPPFLAGS)
tests_cli_verbs_LDADD = $(JANSSON_LIBS) $(SODIUM_LIBS) $(CMOCKA_LIBS)

tests_face_errors_SOURCES = tests/face_errors.c
tests_face_errors_CPPFLAGS = $(TEST_CPPFLAGS)
tests_face_errors_LDADD = $(FACE_LIBS) $(CMOCKA_LIBS)

# Its modules are the fakes.
tests_face_begun_SOURCES = tests/face_begun.c core/base/places.c $(FACE_TEST_PLACE)
tests_face_begun_CPPFLAGS = $(tests_libplaces_la_CPPFLAGS) -UPLACES_PLUGINS \
	-DPLACES_PLUGINS='"$(abs_builddir)/tests/fakes/modules"' $(TEST_CPPFLAGS)
tests_face_begun_LDADD = $(FACE_LIBS) $(CMOCKA_LIBS)

tests_face_exec_SOURCES = tests/face_exec.c core/base/places.c $(FACE_TEST_OPEN)
tests_face_exec_CPPFLAGS = $(tests_face_begun_CPPFLAGS)
tests_face_exec_LDADD = $(FACE_LIBS) $(CMOCKA_LIBS)

tests_face_refused_SOURCES = tests/face_refused.c core/base/places.c $(FACE_TEST_PLACE)
tests_face_refused_CPPFLAGS = $(tests_face_begun_CPPFLAGS)
tests_face_refused_LDADD = $(FACE_LIBS) $(CMOCKA_LIBS)

tests_face_hard_SOURCES = tests/face_hard.c $(FACE_TEST_PLACE)
tests_face_hard_CPPFLAGS = $(TEST_CPPFLAGS)
tests_face_hard_LDADD = $(FACE_LIBS) $(CMOCKA_LIBS)

tests_face_identity_SOURCES = tests/face_identity.c $(FACE_TEST_PLACE)
tests_face_identity_CPPFLAGS = $(TEST_CPPFLAGS)
tests_face_identity_LDADD = $(FACE_LIBS) $(CMOCKA_LIBS)

tests_face_library_SOURCES = tests/face_library.c $(FACE_TEST_OPEN)
tests_face_library_CPPFLAGS = $(TEST_CPPFLAGS)
tests_face_library_LDADD = $(FACE_LIBS) $(CMOCKA_LIBS)

tests_face_lifetime_SOURCES = tests/face_lifetime.c $(FACE_TEST_OPEN)
tests_face_lifetime_CPPFLAGS = $(TEST_CPPFLAGS)
tests_face_lifetime_LDADD = $(FACE_LIBS) $(CMOCKA_LIBS)

tests_face_terminal_SOURCES = tests/face_terminal.c $(FACE_TEST_OPEN)
tests_face_terminal_CPPFLAGS = $(TEST_CPPFLAGS)
tests_face_terminal_LDADD = $(FACE_LIBS) $(CMOCKA_LIBS)

tests_face_threads_SOURCES = tests/face_threads.c $(FACE_TEST_OPEN)
tests_face_threads_CPPFLAGS = $(TEST_CPPFLAGS)
tests_face_threads_LDADD = $(FACE_LIBS) $(CMOCKA_LIBS)

tests_serve_lines_SOURCES = tests/serve_lines.c
tests_serve_lines_CPPFLAGS = $(tests_cli_options_CPPFLAGS)
tests_serve_lines_LDADD = core/cli/libcli.la $(FACE_LIBS) $(CMOCKA_LIBS)

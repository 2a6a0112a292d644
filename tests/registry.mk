# Modules, arms, and plugins that misbehave in one way each.
REGISTRY_TEST_PARTS = core/arms/libarms.la core/registry/libregistry.la core/policy/libpolicy.la \
	core/config/libconfig.la core/base/libbase.la $(TEST_PLACES) $(LTDL_LIBS) $(INIH_LIBS) \
	$(CMOCKA_LIBS) -lpthread
REGISTRY_TESTS = tests/registry_built_in tests/registry_vet tests/registry_load tests/registry_services \
	tests/arms_statement tests/arms_probe tests/arms_choose
REGISTRY_PLACE = tests/registry_place.c tests/registry_place.h $(CONFIG_TEST_PLACE)
REGISTRY_CPPFLAGS = $(TEST_CPPFLAGS) -DFAKES='"$(abs_builddir)/tests/fakes/modules"' \
	-DEVIL='"$(abs_builddir)/tests/fakes/evil"'
check_PROGRAMS += $(REGISTRY_TESTS)
TESTS += $(REGISTRY_TESTS)

tests_registry_built_in_SOURCES = tests/registry_built_in.c $(CONFIG_TEST_PLACE)
tests_registry_built_in_CPPFLAGS = $(TEST_CPPFLAGS) -I$(srcdir)/plugins/built_in \
	-DPLUGINS='"$(abs_builddir)/plugins"'
tests_registry_built_in_LDADD = plugins/built_in/libbuilt_in.la $(REGISTRY_TEST_PARTS)
tests_registry_vet_SOURCES = tests/registry_vet.c
tests_registry_vet_CPPFLAGS = $(TEST_CPPFLAGS)
tests_registry_vet_LDADD = $(REGISTRY_TEST_PARTS)
tests_registry_load_SOURCES = tests/registry_load.c $(REGISTRY_PLACE)
tests_registry_load_CPPFLAGS = $(REGISTRY_CPPFLAGS)
tests_registry_load_LDADD = $(REGISTRY_TEST_PARTS)
tests_registry_services_SOURCES = tests/registry_services.c $(REGISTRY_PLACE)
tests_registry_services_CPPFLAGS = $(REGISTRY_CPPFLAGS)
tests_registry_services_LDADD = $(REGISTRY_TEST_PARTS)
tests_arms_statement_SOURCES = tests/arms_statement.c
tests_arms_statement_CPPFLAGS = $(TEST_CPPFLAGS)
tests_arms_statement_LDADD = $(REGISTRY_TEST_PARTS)
tests_arms_probe_SOURCES = tests/arms_probe.c $(REGISTRY_PLACE)
tests_arms_probe_CPPFLAGS = $(REGISTRY_CPPFLAGS)
tests_arms_probe_LDADD = $(REGISTRY_TEST_PARTS)
tests_arms_choose_SOURCES = tests/arms_choose.c $(REGISTRY_PLACE)
tests_arms_choose_CPPFLAGS = $(REGISTRY_CPPFLAGS)
tests_arms_choose_LDADD = $(REGISTRY_TEST_PARTS)

# The fakes: each source is a module of its own, never installed, and free to lack symbols.
FAKES = \
	tests/fakes/aborts-in-probe.la \
	tests/fakes/answers-half.la \
	tests/fakes/claims-too-little.la \
	tests/fakes/claims-too-much.la \
	tests/fakes/confines-others-only.la \
	tests/fakes/crashes-in-probe.la \
	tests/fakes/evil-good.la \
	tests/fakes/exits-in-probe.la \
	tests/fakes/fails-in-enter.la \
	tests/fakes/fails-in-prepare.la \
	tests/fakes/fails-in-probe.la \
	tests/fakes/fails-in-settle.la \
	tests/fakes/forks-in-probe.la \
	tests/fakes/from-the-future.la \
	tests/fakes/good.la \
	tests/fakes/hangs-in-probe.la \
	tests/fakes/hears-refusals.la \
	tests/fakes/looks-around.la \
	tests/fakes/missing-library.la \
	tests/fakes/name-differs.la \
	tests/fakes/never-ends-its-text.la \
	tests/fakes/newer-and-larger.la \
	tests/fakes/no-symbol.la \
	tests/fakes/older-and-smaller.la \
	tests/fakes/points-nowhere.la \
	tests/fakes/prints-in-probe.la \
	tests/fakes/promises-the-unknown.la \
	tests/fakes/promises-too-much.la \
	tests/fakes/refuses-silently.la \
	tests/fakes/silent-in-prepare.la \
	tests/fakes/silent-in-probe.la \
	tests/fakes/silent-in-settle.la \
	tests/fakes/symbol-is-a-function.la \
	tests/fakes/symbol-of-another.la \
	tests/fakes/takes-a-name.la \
	tests/fakes/takes-its-time.la \
	tests/fakes/takes-turns.la \
	tests/fakes/talks-without-end.la \
	tests/fakes/tells-its-policy.la \
	tests/fakes/undefined-function.la \
	tests/fakes/without-enter.la \
	tests/fakes/wrong-hooks.la
check_LTLIBRARIES += $(FAKES) tests/fakes/liblibrary.la
EXTRA_DIST += tests/fakes/fake.h
FAKE_LINK = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere
tests_fakes_aborts_in_probe_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_answers_half_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_claims_too_little_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_claims_too_much_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_confines_others_only_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_crashes_in_probe_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_evil_good_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_exits_in_probe_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_fails_in_enter_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_fails_in_prepare_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_fails_in_probe_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_fails_in_settle_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_forks_in_probe_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_from_the_future_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_good_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_hangs_in_probe_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_hears_refusals_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_looks_around_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_missing_library_la_LDFLAGS = $(FAKE_LINK) -Wl,tests/fakes/.libs/liblibrary.so
tests_fakes_name_differs_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_never_ends_its_text_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_newer_and_larger_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_no_symbol_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_older_and_smaller_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_points_nowhere_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_prints_in_probe_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_promises_the_unknown_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_promises_too_much_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_refuses_silently_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_silent_in_prepare_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_silent_in_probe_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_silent_in_settle_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_symbol_is_a_function_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_symbol_of_another_la_LDFLAGS = $(FAKE_LINK) -Wl,tests/fakes/.libs/good.so
tests_fakes_takes_a_name_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_takes_its_time_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_takes_turns_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_talks_without_end_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_tells_its_policy_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_undefined_function_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_without_enter_la_LDFLAGS = $(FAKE_LINK)
tests_fakes_wrong_hooks_la_LDFLAGS = $(FAKE_LINK)
# Past libtool, which would note where the libraries were built.
tests_fakes_missing_library_la_DEPENDENCIES = tests/fakes/liblibrary.la
tests_fakes_symbol_of_another_la_DEPENDENCIES = tests/fakes/good.la
tests_fakes_liblibrary_la_SOURCES = tests/fakes/library.c
tests_fakes_liblibrary_la_LDFLAGS = $(AM_LDFLAGS) -avoid-version -shared -rpath /nowhere

# The fakes as installed modules are; missing-library's library is not among them.
check_DATA += tests/fakes/stamp
tests/fakes/stamp: $(FAKES)
	$(AM_V_GEN)rm -rf tests/fakes/modules tests/fakes/evil && \
	$(MKDIR_P) tests/fakes/modules tests/fakes/evil && \
	chmod 0755 tests/fakes/modules tests/fakes/evil && \
	for la in $(FAKES); do \
		cp "tests/fakes/.libs/$$(basename $$la .la).so" tests/fakes/modules/ || exit 1; \
	done && mv tests/fakes/modules/evil-good.so tests/fakes/evil/good.so && touch $@
CLEANFILES += tests/fakes/stamp tests/fakes/modules/*.so tests/fakes/evil/*.so

# A plugin outside of the tree, built with what was installed. It is an example as well.
EXTRA_PROGRAMS += tests/outside_load
CLEANFILES += tests/outside_load$(EXEEXT)
tests_outside_load_SOURCES = tests/outside_load.c
tests_outside_load_CPPFLAGS = $(TEST_CPPFLAGS)
tests_outside_load_LDADD = $(REGISTRY_TEST_PARTS)
EXTRA_DIST += tests/outside/Makefile tests/outside/check tests/outside/outside.c tests/outside/first.c \
	tests/outside/embed.c tests/outside/embed.py
installcheck-local: tests/outside_load$(EXEEXT) tests/modules/stamp tests/vendor/stamp
	DESTDIR="$(DESTDIR)" LIBDIR="$(libdir)" BINDIR="$(bindir)" SITEDIR="$(sitedir)" \
		LOADER=tests/outside_load$(EXEEXT) $(srcdir)/tests/outside/check

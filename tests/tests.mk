# What every test links: the floors it tests, and places that lie in the build tree.
TEST_CPPFLAGS = $(CORE_CPPFLAGS) $(CMOCKA_CFLAGS) -DTEST_SOURCE='"$(abs_srcdir)"' \
	-DTEST_BUILD='"$(abs_builddir)"'
TEST_PLACES = tests/libplaces.la
check_LTLIBRARIES += tests/libplaces.la
tests_libplaces_la_SOURCES = core/base/places.c
tests_libplaces_la_CPPFLAGS = $(CORE_CPPFLAGS) \
	-DPLACES_VENDOR='"$(abs_builddir)/tests/vendor"' -DPLACES_SITE='"$(abs_builddir)/tests/site"' \
	-DPLACES_PLUGINS='"$(abs_builddir)/tests/modules"' \
	-DPLACES_INIT='"$(abs_builddir)/pinfold-init"'

EXTRA_tests_libplaces_la_DEPENDENCIES = tests/vendor/stamp

# The vendor's files as an installed pinfold has them. A checkout may be writable by its group; files
# that are believed may not.
tests/vendor/stamp: $(vendor_DATA) $(preset_DATA)
	$(AM_V_GEN)rm -rf tests/vendor && umask 022 && $(MKDIR_P) tests/vendor/presets && \
	for file in $(vendor_DATA) $(preset_DATA); do \
		cp "$(srcdir)/$$file" "tests/vendor/$${file#conf/}" || exit 1; \
	done && chmod -R u+w,go-w tests/vendor && touch $@

# The modules as an installed pinfold has them: in one directory, each its .so alone.
check_DATA += tests/modules/stamp
tests/modules/stamp: $(plugin_LTLIBRARIES)
	$(AM_V_GEN)rm -rf tests/modules && $(MKDIR_P) tests/modules && chmod 0755 tests/modules && \
	for la in $(plugin_LTLIBRARIES); do \
		cp "$$(dirname $$la)/.libs/$$(basename $$la .la).so" tests/modules/ || exit 1; \
	done && touch $@
clean-local:
	rm -rf tests/modules tests/site tests/vendor

include tests/base.mk
include tests/config.mk
include tests/policy.mk
include tests/tree.mk
include tests/tree_apply.mk
include tests/registry.mk
include tests/cage.mk
include tests/cgroup.mk
include tests/wrappers.mk
include tests/namespaces.mk
include tests/seatbelt.mk
include tests/landlock.mk
include tests/report.mk
include tests/cli.mk
include tests/fuzz.mk
include tests/preparers.mk
include tests/escape/escape.mk
include tests/suite.mk

NAMESPACES_TESTS = tests/namespaces_layout tests/namespaces_filter tests/namespaces_probe \
	tests/namespaces_escape tests/namespaces_faults tests/namespaces_inside tests/namespaces_layers tests/namespaces_overlay \
	tests/namespaces_privileges tests/namespaces_through tests/namespaces_wall
check_PROGRAMS += $(NAMESPACES_TESTS)
TESTS += $(NAMESPACES_TESTS)
NAMESPACES_CPPFLAGS = $(TEST_CPPFLAGS) $(SECCOMP_CFLAGS) -I$(srcdir) -I$(srcdir)/tests -I$(srcdir)/plugins/common
NAMESPACES_LIBS = plugins/namespaces/libparts.la core/base/libbase.la $(CMOCKA_LIBS)
NAMESPACES_HOST = tests/namespaces_host.c tests/namespaces_host.h

tests_namespaces_layout_SOURCES = tests/namespaces_layout.c $(NAMESPACES_HOST)
tests_namespaces_layout_CPPFLAGS = $(NAMESPACES_CPPFLAGS)
tests_namespaces_layout_LDADD = $(NAMESPACES_LIBS)
tests_namespaces_filter_SOURCES = tests/namespaces_filter.c $(NAMESPACES_HOST)
tests_namespaces_filter_CPPFLAGS = $(NAMESPACES_CPPFLAGS)
tests_namespaces_filter_LDADD = $(NAMESPACES_LIBS)
tests_namespaces_probe_SOURCES = tests/namespaces_probe.c $(NAMESPACES_HOST)
tests_namespaces_probe_CPPFLAGS = $(NAMESPACES_CPPFLAGS)
tests_namespaces_probe_LDADD = $(NAMESPACES_LIBS)
NAMESPACES_CAGE = tests/namespaces_cage.c tests/namespaces_cage.h tests/namespaces_world.c tests/namespaces_world.h \
	$(NAMESPACES_HOST)
tests_namespaces_escape_SOURCES = tests/namespaces_escape.c $(NAMESPACES_CAGE)
tests_namespaces_escape_CPPFLAGS = $(NAMESPACES_CPPFLAGS)
tests_namespaces_escape_LDADD = $(NAMESPACES_LIBS)
tests_namespaces_inside_SOURCES = tests/namespaces_inside.c $(NAMESPACES_CAGE)
tests_namespaces_inside_CPPFLAGS = $(NAMESPACES_CPPFLAGS)
tests_namespaces_inside_LDADD = $(NAMESPACES_LIBS)
tests_namespaces_through_SOURCES = tests/namespaces_through.c $(NAMESPACES_CAGE)
tests_namespaces_through_CPPFLAGS = $(NAMESPACES_CPPFLAGS)
tests_namespaces_through_LDADD = $(NAMESPACES_LIBS)
tests_namespaces_faults_SOURCES = tests/namespaces_faults.c $(NAMESPACES_CAGE)
tests_namespaces_faults_CPPFLAGS = $(NAMESPACES_CPPFLAGS)
tests_namespaces_faults_LDADD = $(NAMESPACES_LIBS)
tests_namespaces_layers_SOURCES = tests/namespaces_layers.c $(NAMESPACES_CAGE)
tests_namespaces_layers_CPPFLAGS = $(NAMESPACES_CPPFLAGS)
tests_namespaces_layers_LDADD = $(NAMESPACES_LIBS)
tests_namespaces_overlay_SOURCES = tests/namespaces_overlay.c $(NAMESPACES_CAGE)
tests_namespaces_overlay_CPPFLAGS = $(NAMESPACES_CPPFLAGS)
tests_namespaces_overlay_LDADD = $(NAMESPACES_LIBS)
tests_namespaces_privileges_SOURCES = tests/namespaces_privileges.c $(NAMESPACES_CAGE)
tests_namespaces_privileges_CPPFLAGS = $(NAMESPACES_CPPFLAGS)
tests_namespaces_privileges_LDADD = $(NAMESPACES_LIBS)
tests_namespaces_wall_SOURCES = tests/namespaces_wall.c tests/old_kernel.c tests/old_kernel.h $(NAMESPACES_CAGE)
tests_namespaces_wall_CPPFLAGS = $(NAMESPACES_CPPFLAGS)
tests_namespaces_wall_LDADD = $(NAMESPACES_LIBS)

# Policies by chance against the model; a driver for each arm.
POLICY_PROPERTY = tests/policy_property/check.c tests/policy_property/property.h tests/policy_property/try.c \
	tests/policy_property/world.c tests/policy_property/world.h $(POLICY_TEST_PARTS)
check_PROGRAMS += tests/namespaces_policy
TESTS += tests/namespaces_policy
tests_namespaces_policy_SOURCES = tests/policy_property/namespaces.c $(POLICY_PROPERTY) $(NAMESPACES_HOST)
tests_namespaces_policy_CPPFLAGS = $(NAMESPACES_CPPFLAGS)
tests_namespaces_policy_LDADD = plugins/namespaces/libparts.la $(POLICY_TEST_LIBS)

# Tests of the configuration: each lays out files of its own.
CONFIG_TEST_LIBS = core/config/libconfig.la core/base/libbase.la $(TEST_PLACES) $(INIH_LIBS) $(CMOCKA_LIBS)
CONFIG_TEST_PLACE = tests/config_place.c tests/config_place.h
CONFIG_TESTS = \
	tests/config_documents \
	tests/config_final \
	tests/config_layers \
	tests/config_lines \
	tests/config_random \
	tests/config_sections \
	tests/config_trust \
	tests/config_values
check_PROGRAMS += $(CONFIG_TESTS)
TESTS += $(CONFIG_TESTS)

tests_config_documents_SOURCES = tests/config_documents.c $(CONFIG_TEST_PLACE)
tests_config_documents_CPPFLAGS = $(TEST_CPPFLAGS)
tests_config_documents_LDADD = $(CONFIG_TEST_LIBS)

tests_config_final_SOURCES = tests/config_final.c $(CONFIG_TEST_PLACE)
tests_config_final_CPPFLAGS = $(TEST_CPPFLAGS)
tests_config_final_LDADD = $(CONFIG_TEST_LIBS)

tests_config_layers_SOURCES = tests/config_layers.c $(CONFIG_TEST_PLACE)
tests_config_layers_CPPFLAGS = $(TEST_CPPFLAGS)
tests_config_layers_LDADD = $(CONFIG_TEST_LIBS)

tests_config_lines_SOURCES = tests/config_lines.c $(CONFIG_TEST_PLACE)
tests_config_lines_CPPFLAGS = $(TEST_CPPFLAGS)
tests_config_lines_LDADD = $(CONFIG_TEST_LIBS)

tests_config_random_SOURCES = tests/config_random.c $(CONFIG_TEST_PLACE)
tests_config_random_CPPFLAGS = $(TEST_CPPFLAGS)
tests_config_random_LDADD = $(CONFIG_TEST_LIBS)

tests_config_sections_SOURCES = tests/config_sections.c $(CONFIG_TEST_PLACE)
tests_config_sections_CPPFLAGS = $(TEST_CPPFLAGS)
tests_config_sections_LDADD = $(CONFIG_TEST_LIBS)

tests_config_trust_SOURCES = tests/config_trust.c $(CONFIG_TEST_PLACE)
tests_config_trust_CPPFLAGS = $(TEST_CPPFLAGS)
tests_config_trust_LDADD = $(CONFIG_TEST_LIBS)

tests_config_values_SOURCES = tests/config_values.c $(CONFIG_TEST_PLACE)
tests_config_values_CPPFLAGS = $(TEST_CPPFLAGS)
tests_config_values_LDADD = $(CONFIG_TEST_LIBS)

check_PROGRAMS += tests/registry_sections
TESTS += tests/registry_sections
tests_registry_sections_SOURCES = tests/registry_sections.c $(CONFIG_TEST_PLACE)
tests_registry_sections_CPPFLAGS = $(TEST_CPPFLAGS)
tests_registry_sections_LDADD = core/registry/libregistry.la $(CONFIG_TEST_LIBS) $(LTDL_LIBS) \
	$(INIH_LIBS) -lpthread

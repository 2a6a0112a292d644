# Tests of the configuration: each lays out files of its own.
CONFIG_TEST_LIBS = core/config/libconfig.la core/base/libbase.la $(TEST_PLACES) $(CMOCKA_LIBS)
CONFIG_TEST_PLACE = tests/config_place.c tests/config_place.h

check_PROGRAMS += tests/config_layers
TESTS += tests/config_layers
tests_config_layers_SOURCES = tests/config_layers.c $(CONFIG_TEST_PLACE)
tests_config_layers_CPPFLAGS = $(TEST_CPPFLAGS)
tests_config_layers_LDADD = $(CONFIG_TEST_LIBS)

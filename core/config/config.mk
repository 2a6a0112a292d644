noinst_LTLIBRARIES += core/config/libconfig.la
core_config_libconfig_la_CPPFLAGS = $(CORE_CPPFLAGS)
core_config_libconfig_la_SOURCES = core/config/config.h core/config/scope.h

noinst_LTLIBRARIES += core/registry/libregistry.la
core_registry_libregistry_la_CPPFLAGS = $(CORE_CPPFLAGS)
core_registry_libregistry_la_SOURCES = core/registry/registry.h

noinst_LTLIBRARIES += core/registry/libregistry.la
core_registry_libregistry_la_CPPFLAGS = $(CORE_CPPFLAGS)
core_registry_libregistry_la_SOURCES = \
	core/registry/find.c \
	core/registry/load.c \
	core/registry/modules.h \
	core/registry/records.c core/registry/records.h \
	core/registry/registry.c core/registry/registry.h \
	core/registry/sections.c \
	core/registry/services.c \
	core/registry/symbol.h \
	core/registry/vet.c
if !MACOS
core_registry_libregistry_la_SOURCES += core/registry/built_in.c core/registry/symbol.c
endif

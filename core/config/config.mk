noinst_LTLIBRARIES += core/config/libconfig.la
core_config_libconfig_la_CPPFLAGS = $(CORE_CPPFLAGS) $(INIH_CFLAGS)
core_config_libconfig_la_SOURCES = \
	core/config/config.c core/config/config.h \
	core/config/draft.c core/config/draft.h \
	core/config/effective.h \
	core/config/gather.c core/config/gather.h \
	core/config/hard.c core/config/hard.h \
	core/config/item.c core/config/item.h \
	core/config/keys.c core/config/keys.h core/config/preference.h \
	core/config/lines.c core/config/lines.h \
	core/config/place.c core/config/place.h \
	core/config/presets.c core/config/presets.h \
	core/config/resolve.c core/config/resolve.h \
	core/config/scope.h \
	core/config/section.c \
	core/config/source.c core/config/source.h \
	core/config/value.c core/config/value.h

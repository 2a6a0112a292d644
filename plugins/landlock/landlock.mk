noinst_LTLIBRARIES += plugins/landlock/libwalls.la
plugins_landlock_libwalls_la_CPPFLAGS = $(COMMON_CPPFLAGS)
plugins_landlock_libwalls_la_SOURCES = $(BARE_SOURCES) $(STRAYS_SOURCES) \
	plugins/landlock/confine.c \
	plugins/landlock/describe.c \
	plugins/landlock/guard.c plugins/landlock/guard.h \
	plugins/landlock/landlock.h \
	plugins/landlock/lower.c plugins/landlock/lowering.h \
	plugins/landlock/network.c \
	plugins/landlock/prepare.c \
	plugins/landlock/probe.c \
	plugins/landlock/promise.c
plugins_landlock_libwalls_la_LIBADD = plugins/common/libcommon.la

plugin_LTLIBRARIES += plugins/landlock/landlock.la
plugins_landlock_landlock_la_CPPFLAGS = $(COMMON_CPPFLAGS)
plugins_landlock_landlock_la_SOURCES = plugins/landlock/landlock.c
plugins_landlock_landlock_la_LDFLAGS = $(MODULE_LINK)
plugins_landlock_landlock_la_LIBADD = plugins/landlock/libwalls.la
dist_man_MANS += plugins/landlock/pinfold-landlock.7

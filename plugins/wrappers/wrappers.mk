# The preparers of compiler wrappers: a module each, over what they have in common.
noinst_LTLIBRARIES += plugins/wrappers/libwords.la
plugins_wrappers_libwords_la_SOURCES = \
	plugins/wrappers/cache.c plugins/wrappers/cache.h \
	plugins/wrappers/words.c plugins/wrappers/words.h

plugin_LTLIBRARIES += plugins/wrappers/ccache.la plugins/wrappers/distcc.la \
	plugins/wrappers/generic.la plugins/wrappers/sccache.la
plugins_wrappers_ccache_la_SOURCES = plugins/wrappers/ccache.c \
	plugins/wrappers/ccache_conf.c plugins/wrappers/ccache_conf.h
plugins_wrappers_ccache_la_LDFLAGS = $(MODULE_LINK)
plugins_wrappers_ccache_la_LIBADD = plugins/wrappers/libwords.la
plugins_wrappers_distcc_la_SOURCES = plugins/wrappers/distcc.c
plugins_wrappers_distcc_la_LDFLAGS = $(MODULE_LINK)
plugins_wrappers_distcc_la_LIBADD = plugins/wrappers/libwords.la
plugins_wrappers_generic_la_SOURCES = plugins/wrappers/generic.c
plugins_wrappers_generic_la_LDFLAGS = $(MODULE_LINK)
plugins_wrappers_generic_la_LIBADD = plugins/wrappers/libwords.la
plugins_wrappers_sccache_la_SOURCES = plugins/wrappers/sccache.c
plugins_wrappers_sccache_la_LDFLAGS = $(MODULE_LINK)
plugins_wrappers_sccache_la_LIBADD = plugins/wrappers/libwords.la
dist_man_MANS += plugins/wrappers/pinfold-wrappers.7

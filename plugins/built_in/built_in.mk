# The same sources as the modules', with their one symbol under another name.
noinst_LTLIBRARIES += plugins/built_in/libnamespaces.la plugins/built_in/libcopytree.la plugins/built_in/libbuilt_in.la
plugins_built_in_libnamespaces_la_CPPFLAGS = $(plugins_namespaces_namespaces_la_CPPFLAGS) -Dpinfold_plugin=pinfold_plugin_namespaces
plugins_built_in_libnamespaces_la_SOURCES = $(plugins_namespaces_namespaces_la_SOURCES)
plugins_built_in_libnamespaces_la_LIBADD = plugins/namespaces/libparts.la
plugins_built_in_libcopytree_la_CPPFLAGS = $(plugins_copytree_copytree_la_CPPFLAGS) -Dpinfold_plugin=pinfold_plugin_copytree
plugins_built_in_libcopytree_la_SOURCES = $(plugins_copytree_copytree_la_SOURCES)

# A command that can meet a compiler wrapper asks each of these.
noinst_LTLIBRARIES += plugins/built_in/libccache.la plugins/built_in/libdistcc.la \
	plugins/built_in/libgeneric.la plugins/built_in/libsccache.la
plugins_built_in_libccache_la_CPPFLAGS = $(AM_CPPFLAGS) -Dpinfold_plugin=pinfold_plugin_ccache
plugins_built_in_libccache_la_SOURCES = $(plugins_wrappers_ccache_la_SOURCES)
plugins_built_in_libdistcc_la_CPPFLAGS = $(AM_CPPFLAGS) -Dpinfold_plugin=pinfold_plugin_distcc
plugins_built_in_libdistcc_la_SOURCES = $(plugins_wrappers_distcc_la_SOURCES)
plugins_built_in_libgeneric_la_CPPFLAGS = $(AM_CPPFLAGS) -Dpinfold_plugin=pinfold_plugin_generic
plugins_built_in_libgeneric_la_SOURCES = $(plugins_wrappers_generic_la_SOURCES)
plugins_built_in_libsccache_la_CPPFLAGS = $(AM_CPPFLAGS) -Dpinfold_plugin=pinfold_plugin_sccache
plugins_built_in_libsccache_la_SOURCES = $(plugins_wrappers_sccache_la_SOURCES)

plugins_built_in_libbuilt_in_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/plugins/built_in
plugins_built_in_libbuilt_in_la_SOURCES = plugins/built_in/built_in.c plugins/built_in/built_in.h
nodist_plugins_built_in_libbuilt_in_la_SOURCES = plugins/built_in/build_ids.c
plugins_built_in_libbuilt_in_la_LIBADD = plugins/built_in/libnamespaces.la plugins/built_in/libcopytree.la \
	plugins/built_in/libccache.la plugins/built_in/libdistcc.la plugins/built_in/libgeneric.la \
	plugins/built_in/libsccache.la plugins/wrappers/libwords.la
EXTRA_DIST += plugins/built_in/ids
CLEANFILES += plugins/built_in/build_ids.c
built_in_modules = plugins/namespaces/namespaces.la plugins/copytree/copytree.la \
	plugins/wrappers/ccache.la plugins/wrappers/distcc.la plugins/wrappers/generic.la plugins/wrappers/sccache.la
plugins/built_in/build_ids.c: $(built_in_modules) $(srcdir)/plugins/built_in/ids $(srcdir)/plugins/built_in/built_in.mk
	$(AM_V_GEN)$(MKDIR_P) plugins/built_in && $(SHELL) $(srcdir)/plugins/built_in/ids "$(READELF)" \
		plugins/namespaces/.libs/namespaces.so plugins/copytree/.libs/copytree.so \
		plugins/wrappers/.libs/ccache.so plugins/wrappers/.libs/distcc.so plugins/wrappers/.libs/generic.so \
		plugins/wrappers/.libs/sccache.so >$@.tmp && mv -f $@.tmp $@

# The same sources as the modules', with their one symbol under another name.
noinst_LTLIBRARIES += plugins/built_in/libnamespaces.la plugins/built_in/libcopytree.la plugins/built_in/liblandlock.la \
	plugins/built_in/libbuilt_in.la
plugins_built_in_libnamespaces_la_CPPFLAGS = $(plugins_namespaces_namespaces_la_CPPFLAGS) -Dpinfold_plugin=pinfold_plugin_namespaces
plugins_built_in_libnamespaces_la_SOURCES = $(plugins_namespaces_namespaces_la_SOURCES)
plugins_built_in_libnamespaces_la_LIBADD = plugins/namespaces/libparts.la
plugins_built_in_libcopytree_la_CPPFLAGS = $(plugins_copytree_copytree_la_CPPFLAGS) -Dpinfold_plugin=pinfold_plugin_copytree
plugins_built_in_libcopytree_la_SOURCES = $(plugins_copytree_copytree_la_SOURCES)
# What it calls as others call theirs has names of its own here: tests/check-parts looks for more.
plugins_built_in_liblandlock_la_CPPFLAGS = $(COMMON_CPPFLAGS) -I$(srcdir)/plugins/landlock -Dpinfold_plugin=pinfold_plugin_landlock \
	-Dconfine_apply=landlock_confine_apply -Dconfine_verify=landlock_confine_verify \
	-Ddescribe_plan=landlock_describe_plan -Dprepare_plan=landlock_prepare_plan \
	-Dprepare_release=landlock_prepare_release -Dprobe_offer=landlock_probe_offer \
	-Dsettings_read=landlock_settings_read -Dstage_enter=landlock_stage_enter
plugins_built_in_liblandlock_la_SOURCES = $(plugins_landlock_libwalls_la_SOURCES) $(plugins_landlock_landlock_la_SOURCES)
plugins_built_in_liblandlock_la_LIBADD = plugins/common/libcommon.la

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
	plugins/built_in/liblandlock.la plugins/built_in/libccache.la plugins/built_in/libdistcc.la plugins/built_in/libgeneric.la \
	plugins/built_in/libsccache.la plugins/wrappers/libwords.la
EXTRA_DIST += plugins/built_in/ids
CLEANFILES += plugins/built_in/build_ids.c
built_in_modules = plugins/namespaces/namespaces.la plugins/copytree/copytree.la plugins/landlock/landlock.la \
	plugins/wrappers/ccache.la plugins/wrappers/distcc.la plugins/wrappers/generic.la plugins/wrappers/sccache.la
plugins/built_in/build_ids.c: $(built_in_modules) $(srcdir)/plugins/built_in/ids $(srcdir)/plugins/built_in/built_in.mk
	$(AM_V_GEN)$(MKDIR_P) plugins/built_in && $(SHELL) $(srcdir)/plugins/built_in/ids "$(READELF)" \
		plugins/namespaces/.libs/namespaces.so plugins/copytree/.libs/copytree.so plugins/landlock/.libs/landlock.so \
		plugins/wrappers/.libs/ccache.so plugins/wrappers/.libs/distcc.so plugins/wrappers/.libs/generic.so \
		plugins/wrappers/.libs/sccache.so >$@.tmp && mv -f $@.tmp $@

plugin_LTLIBRARIES += plugins/copytree/copytree.la
plugins_copytree_copytree_la_CPPFLAGS = $(AM_CPPFLAGS) $(BARE_CPPFLAGS)
plugins_copytree_copytree_la_SOURCES = $(BARE_SOURCES) \
	plugins/copytree/arm.c plugins/copytree/copytree.c plugins/copytree/copytree.h \
	plugins/copytree/system.h \
	plugins/copytree/view.c
if MACOS
plugins_copytree_copytree_la_SOURCES += plugins/copytree/system_macos.c
else
plugins_copytree_copytree_la_SOURCES += plugins/copytree/system.c $(STRAYS_SOURCES)
endif
plugins_copytree_copytree_la_LDFLAGS = $(MODULE_LINK)
dist_man_MANS += plugins/copytree/pinfold-copytree.7

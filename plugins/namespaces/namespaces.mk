noinst_LTLIBRARIES += plugins/namespaces/libparts.la
plugins_namespaces_libparts_la_CPPFLAGS = $(COMMON_CPPFLAGS)
plugins_namespaces_libparts_la_SOURCES = \
	plugins/namespaces/below.c plugins/namespaces/below.h \
	plugins/namespaces/bubblewrap.c \
	plugins/namespaces/calls.h \
	plugins/namespaces/confine.c \
	plugins/namespaces/describe.c plugins/namespaces/describe.h \
	plugins/namespaces/gaps.c plugins/namespaces/gaps.h \
	plugins/namespaces/guards.c \
	plugins/namespaces/ground.c plugins/namespaces/ground.h \
	plugins/namespaces/kept.c \
	plugins/namespaces/known.c \
	plugins/namespaces/layers.c \
	plugins/namespaces/layout.c plugins/namespaces/layout.h \
	plugins/namespaces/machine.c \
	plugins/namespaces/namespaces.h \
	plugins/namespaces/overlay.c plugins/namespaces/overlay.h \
	plugins/namespaces/prepare.c \
	plugins/namespaces/probe.c plugins/namespaces/probe.h \
	plugins/namespaces/refusal.c \
	plugins/namespaces/skeleton.c \
	plugins/namespaces/sockets.c \
	plugins/namespaces/systems.c \
	plugins/namespaces/take.c \
	plugins/namespaces/through.c plugins/namespaces/through.h \
	plugins/namespaces/through_trial.c \
	plugins/namespaces/trial.c plugins/namespaces/trial.h \
	plugins/namespaces/upper.c \
	plugins/namespaces/pins.c plugins/namespaces/view.c plugins/namespaces/view.h \
	plugins/namespaces/wall.c
plugins_namespaces_libparts_la_LIBADD = plugins/common/libcommon.la

plugin_LTLIBRARIES += plugins/namespaces/namespaces.la
plugins_namespaces_namespaces_la_CPPFLAGS = $(COMMON_CPPFLAGS)
plugins_namespaces_namespaces_la_SOURCES = plugins/namespaces/namespaces.c
plugins_namespaces_namespaces_la_LDFLAGS = $(MODULE_LINK)
plugins_namespaces_namespaces_la_LIBADD = plugins/namespaces/libparts.la
dist_man_MANS += plugins/namespaces/pinfold-namespaces.7

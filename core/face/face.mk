pinfoldincludedir = $(includedir)/pinfold
dist_man_MANS += core/include/pinfold/pinfold-plugin-guide.7
pinfoldinclude_HEADERS = \
	core/include/pinfold/arm.h \
	core/include/pinfold/error.h \
	core/include/pinfold/pinfold.h \
	core/include/pinfold/plugin.h \
	core/include/pinfold/view.h \
	core/include/pinfold/wrapper.h

# The floors below, in link order.
CORE_PARTS = \
	core/cage/libcage.la core/cgroup/libcgroup.la core/report/libreport.la core/wrappers/libwrappers.la core/arms/libarms.la \
	core/registry/libregistry.la core/tree/libtree.la core/policy/libpolicy.la \
	core/config/libconfig.la core/base/libbase.la

noinst_LTLIBRARIES += core/face/libface.la
core_face_libface_la_CPPFLAGS = $(CORE_CPPFLAGS)
core_face_libface_la_SOURCES = core/face/face.h \
	core/face/cage.c core/face/cage.h core/face/ceilings.c core/face/ceilings.h core/face/jobs.c \
	core/face/ahead.c core/face/apply.c core/face/attempt.c core/face/become.c core/face/changes.c core/face/collect.c core/face/command.c core/face/confine.c core/face/describe.c core/face/denials.c core/face/denials.h core/face/denials_said.c core/face/detached.c core/face/detached.h core/face/modules.c \
	core/face/directory.c core/face/directory.h core/face/discard.c core/face/errors.c core/face/events.c core/face/events.h core/face/explain.c core/face/findings.c core/face/findings.h \
	core/face/own_terminal.c core/face/own_terminal.h core/face/jobserver.c core/face/library.c core/face/log.c core/face/looking.c core/face/lowering.c core/face/present.c core/face/present.h \
	core/face/probe.c core/face/receipt.c core/face/resolve.c core/face/run.c \
	core/face/session.c core/face/sessions.c core/face/settle.c core/face/streams.c core/face/streams.h \
	core/face/surroundings.c core/face/passed.c core/face/view.c core/face/views.c core/face/views.h \
	core/face/helper.c core/face/helper.h core/face/helpers.c core/face/helpers.h core/face/preparer.c core/face/preparer.h \
	core/face/throwaway.c core/face/wrapping.c core/face/wrapping.h core/face/wrapping_key.c \
	core/face/applications.c core/face/wrappers.c

core_face_libface_la_SOURCES += core/face/changes.h core/face/report.c core/face/report_run.c core/face/report_changes.c core/face/report.h \
	core/face/probe_render.c core/face/probe_render.h

# All of it, for the library and for the command: whoever embeds it links the library, but the command
# is started often, and finding and binding one library more costs it a good part of its start.
noinst_LTLIBRARIES += core/libcore.la
core_libcore_la_SOURCES = core/base/places.c
core_libcore_la_CPPFLAGS = $(CORE_CPPFLAGS) \
	-DPLACES_VENDOR='"$(vendordir)"' -DPLACES_SITE='"$(sitedir)"' \
	-DPLACES_PLUGINS='"$(plugindir)"' -DPLACES_INIT='"$(pkglibexecdir)/pinfold-init"'
core_libcore_la_LIBADD = core/face/libface.la $(CORE_PARTS)

lib_LTLIBRARIES += core/libpinfold.la
core_libpinfold_la_SOURCES =
core_libpinfold_la_LIBADD = core/libcore.la $(LTDL_LIBS) $(INIH_LIBS) $(JANSSON_LIBS) $(SODIUM_LIBS) -lpthread
core_libpinfold_la_LDFLAGS = $(AM_LDFLAGS) -no-undefined -version-info 0:0:0
if MACOS
core_libpinfold_la_LDFLAGS += -Wl,-install_name,$(libdir)/libpinfold.0.dylib
else
core_libpinfold_la_LDFLAGS += -Wl,-z,now -Wl,--version-script=$(srcdir)/core/libpinfold.map
endif
EXTRA_core_libpinfold_la_DEPENDENCIES = core/libpinfold.map
EXTRA_DIST += core/libpinfold.map

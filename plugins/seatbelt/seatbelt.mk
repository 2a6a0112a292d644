noinst_LTLIBRARIES += plugins/seatbelt/libparts.la
plugins_seatbelt_libparts_la_CPPFLAGS = $(AM_CPPFLAGS) $(BARE_CPPFLAGS)
plugins_seatbelt_libparts_la_SOURCES = $(BARE_SOURCES) \
	plugins/seatbelt/allow.c \
	plugins/seatbelt/arm.c \
	plugins/seatbelt/base.c plugins/seatbelt/base.h \
	plugins/seatbelt/calls.c plugins/seatbelt/calls.h \
	plugins/seatbelt/compile.c plugins/seatbelt/compile.h \
	plugins/seatbelt/denials.c plugins/seatbelt/denials.h \
	plugins/seatbelt/denials_text.c \
	plugins/seatbelt/deny.c \
	plugins/seatbelt/describe.c \
	plugins/seatbelt/expression.c plugins/seatbelt/expression.h \
	plugins/seatbelt/gaps.c plugins/seatbelt/gaps.h \
	plugins/seatbelt/helper.c plugins/seatbelt/helper.h \
	plugins/seatbelt/lower.c plugins/seatbelt/lower.h plugins/seatbelt/lowering.h \
	plugins/seatbelt/marker.c plugins/seatbelt/marker.h \
	plugins/seatbelt/profile.c plugins/seatbelt/profile.h \
	plugins/seatbelt/refused.c plugins/seatbelt/refused.h \
	plugins/seatbelt/seatbelt.h \
	plugins/seatbelt/spell.c plugins/seatbelt/spell.h \
	plugins/seatbelt/trial.c plugins/seatbelt/trial.h

plugin_LTLIBRARIES += plugins/seatbelt/seatbelt.la
plugins_seatbelt_seatbelt_la_SOURCES = plugins/seatbelt/seatbelt.c
plugins_seatbelt_seatbelt_la_LDFLAGS = $(MODULE_LINK)
plugins_seatbelt_seatbelt_la_LIBADD = plugins/seatbelt/libparts.la
dist_man_MANS += plugins/seatbelt/pinfold-seatbelt.7

noinst_LTLIBRARIES += plugins/seatbelt/libparts.la
plugins_seatbelt_libparts_la_SOURCES = \
	plugins/seatbelt/allow.c \
	plugins/seatbelt/base.c plugins/seatbelt/base.h \
	plugins/seatbelt/deny.c \
	plugins/seatbelt/expression.c plugins/seatbelt/expression.h \
	plugins/seatbelt/gaps.c plugins/seatbelt/gaps.h \
	plugins/seatbelt/lower.c plugins/seatbelt/lower.h plugins/seatbelt/lowering.h \
	plugins/seatbelt/profile.c plugins/seatbelt/profile.h

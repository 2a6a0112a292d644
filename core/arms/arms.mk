noinst_LTLIBRARIES += core/arms/libarms.la
core_arms_libarms_la_CPPFLAGS = $(CORE_CPPFLAGS)
core_arms_libarms_la_SOURCES = \
	core/arms/arms.c core/arms/arms.h \
	core/arms/choose.c \
	core/arms/frames.c core/arms/frames.h \
	core/arms/caller.h \
	core/arms/offspring.h \
	core/arms/keeper.c core/arms/keeper.h \
	core/arms/offer.c core/arms/offer.h \
	core/arms/probe.c core/arms/probe.h \
	core/arms/remember.c core/arms/remember.h \
	core/arms/statement.c
if !MACOS
core_arms_libarms_la_SOURCES += core/arms/caller.c core/arms/offspring.c
endif

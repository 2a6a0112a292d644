noinst_LTLIBRARIES += core/arms/libarms.la
core_arms_libarms_la_CPPFLAGS = $(CORE_CPPFLAGS)
core_arms_libarms_la_SOURCES = core/arms/arms.h

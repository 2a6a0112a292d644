noinst_LTLIBRARIES += core/cage/libcage.la
core_cage_libcage_la_CPPFLAGS = $(CORE_CPPFLAGS)
core_cage_libcage_la_SOURCES = core/cage/child.h

# What several arms are made of: each compiles it in, for modules share nothing at run time.
COMMON_CPPFLAGS = $(AM_CPPFLAGS) $(SECCOMP_CFLAGS) -I$(srcdir)/plugins/common
noinst_LTLIBRARIES += plugins/common/libcommon.la
plugins_common_libcommon_la_CPPFLAGS = $(COMMON_CPPFLAGS)
plugins_common_libcommon_la_SOURCES = \
	plugins/common/bait/bait.c plugins/common/bait/bait.h \
	plugins/common/filter/filter.c plugins/common/filter/filter.h \
	plugins/common/filter/library.c plugins/common/filter/library.h \
	plugins/common/filter/refused.c plugins/common/filter/refused.h \
	plugins/common/filter/tell.c \
	plugins/common/landlock/around.c plugins/common/landlock/around.h \
	plugins/common/landlock/wall.c plugins/common/landlock/wall.h \
	plugins/common/privileges/privileges.c plugins/common/privileges/privileges.h \
	plugins/common/telling/telling.c plugins/common/telling/telling.h

noinst_LTLIBRARIES += core/base/libbase.la
core_base_libbase_la_CPPFLAGS = $(CORE_CPPFLAGS)
core_base_libbase_la_SOURCES = \
	core/base/arena.c core/base/arena.h \
	core/base/cleanup.h core/base/clock.h core/base/endpoint.h \
	core/base/fault.c core/base/fault.h \
	core/base/fd.c core/base/fd.h \
	core/base/file_limit.c core/base/file_limit.h \
	core/base/list.c core/base/list.h \
	core/base/owner.c core/base/owner.h \
	core/base/path.c core/base/path.h \
	core/base/pattern.c core/base/pattern.h \
	core/base/places.h \
	core/base/private.c core/base/private.h \
	core/base/raw.h \
	core/base/text.c core/base/text.h
if !MACOS
core_base_libbase_la_SOURCES += core/base/asked.c core/base/asked.h core/base/fd_self.c
endif

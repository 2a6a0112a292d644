noinst_LTLIBRARIES += core/wrappers/libwrappers.la
core_wrappers_libwrappers_la_CPPFLAGS = $(CORE_CPPFLAGS) $(JANSSON_CFLAGS) $(SODIUM_CFLAGS)
core_wrappers_libwrappers_la_SOURCES = \
	core/wrappers/c.c \
	core/wrappers/cargo.c \
	core/wrappers/cargo_output.c core/wrappers/cargo_output.h \
	core/wrappers/compiles.c core/wrappers/compiles.h \
	core/wrappers/decision.c core/wrappers/decision.h \
	core/wrappers/decisions.c core/wrappers/decisions.h \
	core/wrappers/fingerprint.c core/wrappers/fingerprint.h \
	core/wrappers/look.c core/wrappers/look.h \
	core/wrappers/measure.c core/wrappers/measure.h \
	core/wrappers/sight.c core/wrappers/sight.h \
	core/wrappers/toolchain.c core/wrappers/toolchain.h \
	core/wrappers/variables.c core/wrappers/variables.h \
	core/wrappers/words.c core/wrappers/words.h

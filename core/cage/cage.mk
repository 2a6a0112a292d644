noinst_LTLIBRARIES += core/cage/libcage.la
core_cage_libcage_la_CPPFLAGS = $(CORE_CPPFLAGS)
core_cage_libcage_la_SOURCES = core/cage/become.c core/cage/become.h core/cage/child.h core/cage/family.c core/cage/foreground.c core/cage/foreground.h \
	core/cage/others.h core/cage/steps.c core/cage/steps.h core/cage/watch.h
if !MACOS
core_cage_libcage_la_SOURCES += \
	core/cage/ids.c core/cage/ids.h core/cage/away.c core/cage/away.h \
	core/cage/birth.c core/cage/birth.h \
	core/cage/embryo.c core/cage/embryo.h \
	core/cage/handed.c core/cage/handed.h \
	core/cage/handle.h core/cage/helpers.c core/cage/helpers.h \
	core/cage/launch.c \
	core/cage/others.c \
	core/cage/listener.c core/cage/listener.h \
	core/cage/powers.c core/cage/powers.h \
	core/cage/processes.c core/cage/processes.h \
	core/cage/protocol.h \
	core/cage/shed.h core/cage/supervise.c \
	core/cage/survivors.c core/cage/survivors.h \
	core/cage/through.c core/cage/through.h \
	core/cage/watch.c core/cage/watch_calls.c core/cage/watch_calls.h \
	core/cage/watch_install.c core/cage/watch_install.h

# The supervisor: static, without a C library, and so without what needs one (sanitizers, stack
# protector), whatever flags the person building asks for.
pkglibexec_PROGRAMS += pinfold-init
pinfold_init_SOURCES = core/cage/init.c core/cage/init_calls.h core/cage/init_run.c core/cage/shed.h \
	core/cage/init_door.c core/cage/init_flow.c core/cage/init_flow.h \
	core/cage/init_start.c core/cage/watch_install.c
pinfold_init_CPPFLAGS = $(CORE_CPPFLAGS) -U_FORTIFY_SOURCE
pinfold_init_CFLAGS = $(WARN_CFLAGS) -ffreestanding -fno-builtin
pinfold_init_LDFLAGS =
pinfold_init_LINK = $(CC) $(WARN_CFLAGS) $(CFLAGS) $(INIT_CFLAGS) -static -nostdlib -Wl,-z,noexecstack \
	-o $@
INIT_CFLAGS = -fno-stack-protector -fno-sanitize=all -fno-pie -fcf-protection=none
$(pinfold_init_OBJECTS): override CFLAGS += $(INIT_CFLAGS)
endif

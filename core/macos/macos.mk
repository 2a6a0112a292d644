# What stands in for other files, and for other systems' functions, where the build is for macOS.
core_base_libbase_la_SOURCES += core/base/asked.h \
	core/macos/asked.c \
	core/macos/directory.c \
	core/macos/fd_self.c \
	core/macos/memory.c \
	core/macos/names.c \
	core/macos/open.c \
	core/macos/processors.c \
	core/macos/signals.c \
	core/macos/sockets.c \
	core/macos/status.c \
	core/macos/system.h
core_registry_libregistry_la_SOURCES += core/macos/built_in.c core/macos/symbol.c
core_cgroup_libcgroup_la_SOURCES += core/macos/group.c
core_arms_libarms_la_SOURCES += core/macos/caller.c core/macos/offspring.c
core_tree_libtree_la_SOURCES += core/macos/access.c core/macos/immutable.c
core_cage_libcage_la_SOURCES += core/macos/child.c core/macos/members.c core/macos/members.h core/macos/others.c core/macos/processes.c core/macos/task.c \
	core/macos/task.h core/macos/watch.c

noinst_LTLIBRARIES += plugins/built_in/libbuilt_in.la
plugins_built_in_libbuilt_in_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/plugins/built_in
plugins_built_in_libbuilt_in_la_SOURCES = plugins/built_in/none.c plugins/built_in/built_in.h

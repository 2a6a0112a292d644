# What arms share that make no namespaces; on every system, but for the strays of Linux.
BARE_CPPFLAGS = -I$(srcdir)/plugins/common
BARE_SOURCES = plugins/common/bare/bare.c plugins/common/bare/bare.h
STRAYS_SOURCES = plugins/common/bare/strays.c plugins/common/bare/strays.h

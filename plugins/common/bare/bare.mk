# What arms share that make no namespaces; on every system.
BARE_CPPFLAGS = -I$(srcdir)/plugins/common
BARE_SOURCES = plugins/common/bare/bare.c plugins/common/bare/bare.h

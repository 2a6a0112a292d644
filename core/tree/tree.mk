noinst_LTLIBRARIES += core/tree/libtree.la
core_tree_libtree_la_CPPFLAGS = $(CORE_CPPFLAGS)
core_tree_libtree_la_SOURCES = core/tree/copies.h

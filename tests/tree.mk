# Tests of copies: each with a tree and a scratch root of its own below the caller's home.
TREE_TEST_LIBS = core/tree/libtree.la core/config/libconfig.la core/base/libbase.la $(TEST_PLACES) \
	$(CMOCKA_LIBS) -lpthread
TREE_TEST_PLACE = tests/tree_place.c tests/tree_place.h

check_PROGRAMS += tests/tree_sync
TESTS += tests/tree_sync
tests_tree_sync_SOURCES = tests/tree_sync.c $(TREE_TEST_PLACE)
tests_tree_sync_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_sync_LDADD = $(TREE_TEST_LIBS)

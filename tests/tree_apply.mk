# Bringing changes into the tree: what takes its time. (The rest is in tree.mk.)
check_PROGRAMS += tests/tree_apply_races
TESTS += tests/tree_apply_races
tests_tree_apply_races_SOURCES = tests/tree_apply_races.c $(APPLIED_TEST_PLACE)
tests_tree_apply_races_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_apply_races_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_apply_model
TESTS += tests/tree_apply_model
tests_tree_apply_model_SOURCES = tests/tree_apply_model.c $(APPLIED_TEST_PLACE)
tests_tree_apply_model_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_apply_model_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_apply_walk
TESTS += tests/tree_apply_walk
tests_tree_apply_walk_SOURCES = tests/tree_apply_walk.c $(WALK_SOURCES) $(APPLIED_TEST_PLACE)
tests_tree_apply_walk_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_apply_walk_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_apply_lax
TESTS += tests/tree_apply_lax
tests_tree_apply_lax_SOURCES = tests/tree_apply_lax.c $(WALK_SOURCES) $(APPLIED_TEST_PLACE)
tests_tree_apply_lax_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_apply_lax_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_uncover
TESTS += tests/tree_uncover
tests_tree_uncover_SOURCES = tests/tree_uncover.c $(APPLIED_TEST_PLACE)
tests_tree_uncover_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_uncover_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_forged
TESTS += tests/tree_forged
tests_tree_forged_SOURCES = tests/tree_forged.c $(APPLIED_TEST_PLACE)
tests_tree_forged_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_forged_LDADD = $(TREE_TEST_LIBS)

# Tests of copies: each with a tree and a scratch root of its own below the caller's home.
TREE_TEST_LIBS = core/tree/libtree.la core/policy/libpolicy.la core/config/libconfig.la core/base/libbase.la \
	$(TEST_PLACES) $(INIH_LIBS) \
	$(CMOCKA_LIBS) -lpthread
TREE_TEST_PLACE = tests/tree_place.c tests/tree_place.h

check_PROGRAMS += tests/tree_sync
TESTS += tests/tree_sync
tests_tree_sync_SOURCES = tests/tree_sync.c $(TREE_TEST_PLACE)
tests_tree_sync_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_sync_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_untouched
TESTS += tests/tree_untouched
tests_tree_untouched_SOURCES = tests/tree_untouched.c $(TREE_TEST_PLACE)
tests_tree_untouched_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_untouched_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_clock
TESTS += tests/tree_clock
tests_tree_clock_SOURCES = tests/tree_clock.c $(TREE_TEST_PLACE)
tests_tree_clock_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_clock_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_digest
TESTS += tests/tree_digest
tests_tree_digest_SOURCES = tests/tree_digest.c $(TREE_TEST_PLACE)
tests_tree_digest_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_digest_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_merge
TESTS += tests/tree_merge
tests_tree_merge_SOURCES = tests/tree_merge.c $(TREE_TEST_PLACE)
tests_tree_merge_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_merge_LDADD = $(TREE_TEST_LIBS)

# For tests that let an act fail at each of its system calls.
WALK_SOURCES = tests/walk.c tests/walk.h tests/snapshot.c tests/snapshot.h

check_PROGRAMS += tests/tree_walk
TESTS += tests/tree_walk
tests_tree_walk_SOURCES = tests/tree_walk.c $(TREE_TEST_PLACE) $(WALK_SOURCES)
tests_tree_walk_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_walk_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_reflink
TESTS += tests/tree_reflink
tests_tree_reflink_SOURCES = tests/tree_reflink.c $(TREE_TEST_PLACE)
tests_tree_reflink_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_reflink_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_hostile
TESTS += tests/tree_hostile
tests_tree_hostile_SOURCES = tests/tree_hostile.c $(TREE_TEST_PLACE)
tests_tree_hostile_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_hostile_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_faults
TESTS += tests/tree_faults
tests_tree_faults_SOURCES = tests/tree_faults.c $(TREE_TEST_PLACE)
tests_tree_faults_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_faults_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_hidden
TESTS += tests/tree_hidden
tests_tree_hidden_SOURCES = tests/tree_hidden.c
tests_tree_hidden_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_hidden_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_links
TESTS += tests/tree_links
tests_tree_links_SOURCES = tests/tree_links.c $(TREE_TEST_PLACE)
tests_tree_links_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_links_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_scratch
TESTS += tests/tree_scratch
tests_tree_scratch_SOURCES = tests/tree_scratch.c $(TREE_TEST_PLACE)
tests_tree_scratch_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_scratch_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_churn
TESTS += tests/tree_churn
tests_tree_churn_SOURCES = tests/tree_churn.c $(TREE_TEST_PLACE)
tests_tree_churn_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_churn_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/copytree_arm
TESTS += tests/copytree_arm
tests_copytree_arm_SOURCES = tests/copytree_arm.c tests/namespaces_host.c tests/namespaces_host.h \
	$(BARE_SOURCES) $(STRAYS_SOURCES) plugins/copytree/arm.c plugins/copytree/system.c plugins/copytree/view.c
tests_copytree_arm_CPPFLAGS = $(TEST_CPPFLAGS) $(BARE_CPPFLAGS) -I$(srcdir) -I$(srcdir)/tests
tests_copytree_arm_LDADD = core/base/libbase.la $(CMOCKA_LIBS)

check_PROGRAMS += tests/tree_git_changes
TESTS += tests/tree_git_changes
tests_tree_git_changes_SOURCES = tests/tree_git_changes.c
tests_tree_git_changes_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_git_changes_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_changes
TESTS += tests/tree_changes
tests_tree_changes_SOURCES = tests/tree_changes.c tests/tree_found.c tests/tree_found.h $(TREE_TEST_PLACE)
tests_tree_changes_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_changes_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_renames
TESTS += tests/tree_renames
tests_tree_renames_SOURCES = tests/tree_renames.c $(TREE_TEST_PLACE)
tests_tree_renames_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_renames_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_young
TESTS += tests/tree_young
tests_tree_young_SOURCES = tests/tree_young.c tests/tree_found.c tests/tree_found.h $(TREE_TEST_PLACE)
tests_tree_young_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_young_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_large
TESTS += tests/tree_large
tests_tree_large_SOURCES = tests/tree_large.c tests/tree_found.c tests/tree_found.h $(TREE_TEST_PLACE)
tests_tree_large_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_large_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_modeless
TESTS += tests/tree_modeless
tests_tree_modeless_SOURCES = tests/tree_modeless.c tests/tree_found.c tests/tree_found.h $(TREE_TEST_PLACE)
tests_tree_modeless_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_modeless_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_straggler
TESTS += tests/tree_straggler
tests_tree_straggler_SOURCES = tests/tree_straggler.c tests/tree_found.c tests/tree_found.h $(TREE_TEST_PLACE)
tests_tree_straggler_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_straggler_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_sessions
TESTS += tests/tree_sessions
tests_tree_sessions_SOURCES = tests/tree_sessions.c $(TREE_TEST_PLACE)
tests_tree_sessions_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_sessions_LDADD = $(TREE_TEST_LIBS)

# Bringing changes into the tree.
APPLIED_TEST_PLACE = tests/tree_applied.c tests/tree_applied.h tests/tree_found.c tests/tree_found.h \
	tests/tree_picture.c tests/tree_picture.h $(TREE_TEST_PLACE)

check_PROGRAMS += tests/tree_apply
TESTS += tests/tree_apply
tests_tree_apply_SOURCES = tests/tree_apply.c $(APPLIED_TEST_PLACE)
tests_tree_apply_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_apply_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_risky
TESTS += tests/tree_risky
tests_tree_risky_SOURCES = tests/tree_risky.c
tests_tree_risky_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_risky_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_random
TESTS += tests/tree_random
tests_tree_random_SOURCES = tests/tree_random.c tests/tree_found.c tests/tree_found.h $(TREE_TEST_PLACE)
tests_tree_random_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_random_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_pointer
TESTS += tests/tree_pointer
tests_tree_pointer_SOURCES = tests/tree_pointer.c $(TREE_TEST_PLACE)
tests_tree_pointer_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_pointer_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_collect
TESTS += tests/tree_collect
tests_tree_collect_SOURCES = tests/tree_collect.c $(TREE_TEST_PLACE)
tests_tree_collect_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_collect_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_put_back
TESTS += tests/tree_put_back
tests_tree_put_back_SOURCES = tests/tree_put_back.c $(TREE_TEST_PLACE)
tests_tree_put_back_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_put_back_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_walk_put_back
TESTS += tests/tree_walk_put_back
tests_tree_walk_put_back_SOURCES = tests/tree_walk_put_back.c tests/power.c tests/power.h $(TREE_TEST_PLACE) $(WALK_SOURCES)
tests_tree_walk_put_back_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_walk_put_back_LDADD = $(TREE_TEST_LIBS)

check_PROGRAMS += tests/tree_walk_kept
TESTS += tests/tree_walk_kept
tests_tree_walk_kept_SOURCES = tests/tree_walk_kept.c tests/power.c tests/power.h $(TREE_TEST_PLACE) $(WALK_SOURCES)
tests_tree_walk_kept_CPPFLAGS = $(TEST_CPPFLAGS)
tests_tree_walk_kept_LDADD = $(TREE_TEST_LIBS)

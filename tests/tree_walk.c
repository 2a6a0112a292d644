/* tests/tree_walk.c - a sync that fails, or ends, at any of its system calls. */
#include "config.h"

#include "snapshot.h"
#include "tree_place.h"
#include "walk.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/copies.h"

#include <limits.h>
#include <pinfold/plugin.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

static char *tree_before, *tree_meaning;
static char *used;	/* the copy that the act brought up to date; shared with it */

static int set_up(void **state)
{
	int result = place_set_up(state);
	place.settings[0] = "copy.threads=1";
	used = mmap(NULL, PATH_MAX, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return used == MAP_FAILED ? -1 : result;
}

static int tear_down(void **state)
{
	walk_tell();
	munmap(used, PATH_MAX);
	free(tree_before);
	free(tree_meaning);
	tree_before = tree_meaning = NULL;
	return place_tear_down(state);
}

/* What the walks are to leave as it is. */
static void remember_tree(void)
{
	free(tree_before);
	free(tree_meaning);
	tree_before = snapshot_of(place.tree, SNAPSHOT_ALL);
	tree_meaning = snapshot_of(place.tree, SNAPSHOT_MEANING);
}

static void make_tree(void)
{
	place_remove(place.tree);
	place_directory(place.tree);
	place_directory(place_path("work/d"));
	place_directory(place_path("work/d/sub"));
	place_write(place_path("work/d/sub/f"), "f");
	place_write(place_path("work/d/g"), "g");
	chmod(place_path("work/d/g"), 0555);
	place_write(place_path("work/edited"), "one");
	place_write(place_path("work/deleted"), "one");
	place_write(place_path("work/a"), "shared");
	assert_int_equal(link(place_path("work/a"), place_path("work/b")), 0);
	assert_int_equal(symlink("a", place_path("work/link")), 0);
	assert_int_equal(symlink("a", place_path("work/moved")), 0);
}

static const char *expect(void)
{
	const char *copy = place_once(0);
	if (!copy)
		fail_msg("cannot %s: %s (%d); %s", place.err.action, place.err.subject, place.err.sys,
			 place.err.recovery);
	return copy;
}

static void change_tree(void)
{
	place_write(place_path("work/edited"), "two, and longer");
	place_write(place_path("work/new"), "two");
	place_directory(place_path("work/new.d"));
	place_write(place_path("work/new.d/in"), "two");
	unlink(place_path("work/deleted"));
	unlink(place_path("work/moved"));
	assert_int_equal(symlink("b", place_path("work/moved")), 0);
	place_write(place_path("work/b"), "to both names");
	place_remove(place_path("work/d"));
	place_write(place_path("work/d"), "a file now");
}

/* No copy; or one in which a command worked, of a tree that changed since. */
static void no_copy(void *context)
{
	(void)context;
	place_remove(place.scratch);
	make_tree();
	remember_tree();
}

static void an_old_copy(void *context)
{
	no_copy(context);
	auto_free char *copy = strdup(expect() + strlen(place.base) + 1);
	place_write(place_path("%s/edited", copy), "by the command");
	place_write(place_path("%s/left", copy), "by the command");
	place_remove(place_path("%s/d/sub", copy));
	chmod(place_path("%s/d", copy), 0500);
	change_tree();
	remember_tree();
}

static int sync_copy(void *context)
{
	(void)context;
	const char *copy = place_once(0);
	snprintf(used, PATH_MAX, "%s", copy ? copy : "");
	return copy ? 0 : -1;
}

static void assert_tree_untouched(void)
{
	auto_free char *now = snapshot_of(place.tree, SNAPSHOT_ALL);
	snapshot_assert_equal(tree_before, now);
}

static void assert_copy_is_whole(const char *copy)
{
	auto_free char *held = snapshot_of(copy, SNAPSHOT_MEANING);
	snapshot_assert_equal(tree_meaning, held);
}

static void assert_nothing_stays_in_the_trash(void)
{
	struct pinfold_copy *copy;
	assert_int_equal(place_open(0, &copy), 0);
	place_close(copy, PINFOLD_COPY_RETIRE);
	assert_int_equal(place_count(place_path("s/gone")), 0);
}

static void check_copy(void *context, const struct walked *walked)
{
	(void)context;
	assert_tree_untouched();
	/* Where it succeeded, the command would have run. Where it was removed at the end, all is well too. */
	if (walked->end == WALK_SUCCEEDED && access(used, F_OK) == 0)
		assert_copy_is_whole(used);
	assert_copy_is_whole(expect());
	assert_tree_untouched();
	assert_nothing_stays_in_the_trash();
}

static void a_first_copy_that_fails_or_is_killed_anywhere_is_never_used(void **state)
{
	(void)state;
	static const struct walk walk = { .prepare = no_copy, .act = sync_copy, .check = check_copy, .most = 100 };
	assert_in_range(walk_run(&walk, NULL), 50, 100000);
}

static void an_update_that_fails_or_is_killed_anywhere_is_never_used(void **state)
{
	(void)state;
	static const struct walk walk = { .prepare = an_old_copy, .act = sync_copy, .check = check_copy, .most = 100 };
	assert_in_range(walk_run(&walk, NULL), 50, 100000);
}

/* One whose index is written over: no name comes or goes. */
static void an_old_copy_of_other_contents(void *context)
{
	no_copy(context);
	auto_free char *copy = strdup(expect() + strlen(place.base) + 1);
	place_write(place_path("%s/d/sub/f", copy), "by the command");
	place_write(place_path("work/edited"), "two, and longer");
	place_write(place_path("work/deleted"), "two");
	chmod(place_path("work/d/sub"), 0500);
	remember_tree();
}

static void an_update_of_contents_that_fails_or_is_killed_anywhere_is_never_used(void **state)
{
	(void)state;
	static const struct walk walk = {
		.prepare = an_old_copy_of_other_contents, .act = sync_copy, .check = check_copy, .most = 60,
	};
	assert_in_range(walk_run(&walk, NULL), 50, 100000);
}

static const char *session_copy(int *ret_result)
{
	static char directory[4096];
	const struct pinfold_place_order order = { .size = sizeof(order), .session = "s" };
	struct pinfold_copy *copy = NULL;
	*ret_result = place_open_order(&order, &copy);
	if (*ret_result == 0) {
		snprintf(directory, sizeof(directory), "%s", copies_trees.directory(copy));
		*ret_result = place_sync(copy);
	}
	place_close(copy, PINFOLD_COPY_KEEP);
	return directory + strlen(place.base) + 1;
}

static const char *expect_session(void)
{
	int result;
	const char *copy = session_copy(&result);
	if (result < 0)
		fail_msg("cannot %s: %s (%d); %s", place.err.action, place.err.subject, place.err.sys,
			 place.err.recovery);
	return copy;
}

static int sync_session(void *context)
{
	int result;
	(void)context;
	snprintf(used, PATH_MAX, "%s", session_copy(&result));
	return result;
}

/* One in which a command changed, added, removed and replaced something. */
static void a_session(void *context)
{
	no_copy(context);
	auto_free char *copy = strdup(expect_session());
	place_write(place_path("%s/deleted", copy), "by the command");
	place_write(place_path("%s/added", copy), "by the command");
	place_write(place_path("%s/d/sub/added", copy), "by the command");
	unlink(place_path("%s/link", copy));
	chmod(place_path("%s/edited", copy), 0600);
	chmod(place_path("%s/edited", copy), 0644);
	unlink(place_path("%s/a", copy));
	place_write(place_path("%s/a", copy), "by the command");
	change_tree();
	remember_tree();
}

static void assert_content(const char *copy, const char *name, const char *content)
{
	auto_free char *there = place_read(place_path("%s/%s", copy, name));
	if (content ? !there || strcmp(there, content) != 0 : access(place_path("%s/%s", copy, name), F_OK) == 0)
		fail_msg("%s is %s", name, there ? there : "missing");
}

static void assert_merged(const char *copy)
{
	static const char *const expected[][2] = {
		{ "deleted", "by the command" }, { "added", "by the command" },
		{ "d/sub/added", "by the command" }, { "d/sub/f", NULL }, { "d/g", NULL }, { "link", NULL },
		{ "a", "by the command" }, { "b", "to both names" }, { "edited", "two, and longer" },
		{ "new", "two" }, { "new.d/in", "two" },
	};
	char target[8];
	for (size_t i = 0; i < N_ELEMENTS(expected); i++)
		assert_content(copy, expected[i][0], expected[i][1]);
	assert_int_equal(readlink(place_path("%s/moved", copy), target, sizeof(target)), 1);
	assert_int_equal(target[0], 'b');
}

static void check_session(void *context, const struct walked *walked)
{
	(void)context;
	assert_tree_untouched();
	if (walked->end == WALK_SUCCEEDED)
		assert_merged(used);
	assert_merged(expect_session());
	assert_merged(expect_session());
	assert_tree_untouched();
}

static void a_sessions_sync_that_fails_or_is_killed_anywhere_loses_nothing(void **state)
{
	(void)state;
	static const struct walk walk = { .prepare = a_session, .act = sync_session, .check = check_session,
					  .most = 100 };
	assert_in_range(walk_run(&walk, NULL), 50, 100000);
}

#define WALK_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WALK_TEST(a_first_copy_that_fails_or_is_killed_anywhere_is_never_used),
		WALK_TEST(an_update_that_fails_or_is_killed_anywhere_is_never_used),
		WALK_TEST(an_update_of_contents_that_fails_or_is_killed_anywhere_is_never_used),
		WALK_TEST(a_sessions_sync_that_fails_or_is_killed_anywhere_loses_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

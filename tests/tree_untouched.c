/* tests/tree_untouched.c - a copy that its command could only read is not looked at, but where the tree changed. */
#include "config.h"

#include "tree_place.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/copies.h"
#include "tree/untouched.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 60, DIRECTORIES = 6, ENTRIES = FILES + DIRECTORIES };

static char *copy_path;	/* below place.base */

static int tear_down(void **state)
{
	free(copy_path);
	copy_path = NULL;
	return place_tear_down(state);
}

/* Brings the copy up to date, and closes it so. */
static void sync_and_close(uint32_t keep)
{
	struct pinfold_copy *copy = NULL;
	if (place_open(0, &copy) < 0 || place_sync(copy) < 0)
		fail_msg("cannot %s: %s; %s", place.err.action, place.err.subject, place.err.recovery);
	free(copy_path);
	copy_path = strdup(copies_trees.directory(copy) + strlen(place.base) + 1);
	place_close(copy, keep);
}

/* A copy that nothing is too young in, and that is marked. */
static void prepare(void)
{
	for (int i = 0; i < DIRECTORIES; i++) {
		place_directory(place_path("work/%s%d", i % 2 ? "0/" : "", i));
		for (int j = 0; j < FILES / DIRECTORIES; j++)
			place_write(place_path("work/%s%d/f%d", i % 2 ? "0/" : "", i, j), "content");
	}
	place_let_age();
	sync_and_close(PINFOLD_COPY_KEEP);
	place_let_age();
	sync_and_close(PINFOLD_COPY_UNTOUCHED);
	assert_int_equal(place.work.walked, 2 * ENTRIES);
}

static void only_the_tree_is_looked_at(void **state)
{
	(void)state;
	prepare();
	sync_and_close(PINFOLD_COPY_UNTOUCHED);
	assert_int_equal(place.work.walked, ENTRIES);
	assert_int_equal(place.work.created + place.work.rewritten + place.work.removed, 0);
	sync_and_close(PINFOLD_COPY_KEEP);
	assert_int_equal(place.work.walked, ENTRIES);
	sync_and_close(PINFOLD_COPY_KEEP);
	assert_int_equal(place.work.walked, 2 * ENTRIES);
}

static void what_changed_in_the_tree_is_brought(void **state)
{
	(void)state;
	prepare();
	place_write(place_path("work/0/f1"), "changed");
	place_write(place_path("work/0/3/f2"), "changed, and of another length");
	chmod(place_path("work/2/f3"), 0500);
	unlink(place_path("work/4/f4"));
	place_directory(place_path("work/4/new"));
	place_write(place_path("work/4/new/file"), "new");
	place_remove(place_path("work/0/5"));
	assert_int_equal(symlink("f6", place_path("work/0/link")), 0);
	chmod(place_path("work/2"), 0500);
	sync_and_close(PINFOLD_COPY_UNTOUCHED);
	place_assert_equal(place.tree, place_path("%s", copy_path));
	place_let_age();
	sync_and_close(PINFOLD_COPY_UNTOUCHED);
	place_assert_equal(place.tree, place_path("%s", copy_path));
	sync_and_close(PINFOLD_COPY_KEEP);
	place_assert_equal(place.tree, place_path("%s", copy_path));
	chmod(place_path("work/2"), 0700);
}

static void change_copy(void)
{
	place_write(place_path("%s/0/f1", copy_path), "CHANGED");
	place_write(place_path("%s/2/stray", copy_path), "left");
}

static void a_copy_that_could_be_changed_is_looked_at(void **state)
{
	(void)state;
	prepare();
	sync_and_close(PINFOLD_COPY_KEEP);
	change_copy();
	sync_and_close(PINFOLD_COPY_KEEP);
	place_assert_equal(place.tree, place_path("%s", copy_path));
}

static void a_mark_counts_once_and_for_one_boot(void **state)
{
	(void)state;
	prepare();
	place_write(place_path("%s/../" UNTOUCHED_MARK, copy_path), "00000000-0000-0000-0000-000000000000\n");
	change_copy();
	sync_and_close(PINFOLD_COPY_KEEP);
	place_assert_equal(place.tree, place_path("%s", copy_path));
	assert_int_not_equal(access(place_path("%s/../" UNTOUCHED_MARK, copy_path), F_OK), 0);
}

static void a_link_in_the_marks_place_is_no_mark(void **state)
{
	(void)state;
	prepare();
	assert_int_equal(rename(place_path("%s/../" UNTOUCHED_MARK, copy_path), place_path("elsewhere")), 0);
	assert_int_equal(symlink(place_path("elsewhere"), place_path("%s/../" UNTOUCHED_MARK, copy_path)), 0);
	change_copy();
	sync_and_close(PINFOLD_COPY_UNTOUCHED);
	place_assert_equal(place.tree, place_path("%s", copy_path));
	auto_free char *there = place_read(place_path("elsewhere"));
	assert_non_null(there);
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(only_the_tree_is_looked_at),
		TREE_TEST(what_changed_in_the_tree_is_brought),
		TREE_TEST(a_copy_that_could_be_changed_is_looked_at),
		TREE_TEST(a_mark_counts_once_and_for_one_boot),
		TREE_TEST(a_link_in_the_marks_place_is_no_mark),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

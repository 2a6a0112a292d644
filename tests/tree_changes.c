/* tests/tree_changes.c - finding what a command changed in its copy. */
#include "config.h"

#include "tree_found.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* A path in the copy. */
static const char *in(const char *name)
{
	static char rooms[8][8192];
	static unsigned next;
	char *room = rooms[next++ % 8];
	snprintf(room, sizeof(rooms[0]), "%s/%s", found_copy, name);
	return room;
}

static const char *at(const char *name)
{
	return place_path("work/%s", name);
}

static void assert_changes(const char *expected)
{
	assert_string_equal(found_changes(NULL), expected);
}

/* A few entries of every kind. */
static void make_tree(void)
{
	place_write(at("a"), "a\n");
	place_write(at("b"), "b\n");
	place_directory(at("d"));
	place_write(at("d/x"), "x\n");
	place_write(at("d/y"), "y\n");
	place_directory(at("d/e"));
	place_write(at("d/e/z"), "z\n");
	place_directory(at("empty"));
	assert_int_equal(symlink("a", at("link")), 0);
	place_let_age();
}

static void nothing_is_found_where_nothing_changed(void **state)
{
	(void)state;
	make_tree();
	found_start();
	assert_changes("");
}

static void what_is_added_removed_and_changed_is_told_by_path(void **state)
{
	(void)state;
	make_tree();
	found_start();
	place_write(in("a"), "longer than before\n");
	place_write(in("new"), "new\n");
	place_directory(in("made"));
	place_write(in("made/inner"), "inner\n");
	assert_int_equal(unlink(in("d/x")), 0);
	assert_int_equal(rmdir(in("empty")), 0);
	assert_int_equal(unlink(in("link")), 0);
	assert_int_equal(symlink("b", in("link")), 0);
	assert_changes("modified a content\n"
		       "removed d/x\n"
		       "removed empty\n"
		       "modified link target\n"
		       "added made\n"
		       "added made/inner\n"
		       "added new\n");
}

static void touching_is_no_change(void **state)
{
	(void)state;
	make_tree();
	found_start();
	place_set_time(in("a"), 1000000, 5);
	place_set_time(in("link"), 1000000, 5);
	place_set_time(in("d"), 1000000, 5);
	place_write(in("b"), "b\n");
	assert_changes("");
	place_set_time(at("b"), 1000000, 5);
	place_set_time(at("link"), 1000000, 5);
	assert_changes("");
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, tear_down)

static int tear_down(void **state)
{
	found_release();
	return place_tear_down(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(nothing_is_found_where_nothing_changed),
		TREE_TEST(what_is_added_removed_and_changed_is_told_by_path),
		TREE_TEST(touching_is_no_change),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/tree_hidden.c - which of a policy's hidden paths are in a directory, and which entry is one. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tree/hidden.h"

static const char *const paths[] = {
	"/a", "/a-b/x", "/a.b", "/a/b", "/a/b-c", "/a/b.c/d", "/a/b/c", "/ab", "/b/a",
};
static const struct hidden all = { paths, sizeof(paths) / sizeof(paths[0]) };

static void only_what_lies_below_a_directory_is_of_it(void **state)
{
	(void)state;
	struct hidden below = hidden_below(&all, "/a");
	assert_int_equal(below.count, 4);
	assert_string_equal(below.paths[0], "/a/b");
	assert_string_equal(below.paths[3], "/a/b/c");
	assert_int_equal(hidden_below(&all, "/").count, all.count);
	assert_int_equal(hidden_below(&all, "/c").count, 0);
	assert_int_equal(hidden_below(&all, "/a/b/c").count, 0);
	assert_int_equal(hidden_below(&(struct hidden){ 0 }, "/a").count, 0);
}

static void an_entry_is_hidden_by_its_whole_path_alone(void **state)
{
	(void)state;
	assert_true(hidden_has(&all, "/a", "", "b"));
	assert_true(hidden_has(&all, "/a", "b", "c"));
	assert_true(hidden_has(&all, "/a", "b.c", "d"));
	assert_true(hidden_has(&all, "/", "", "a"));
	assert_true(hidden_has(&all, "/", "b", "a"));
	assert_false(hidden_has(&all, "/a", "", "b-"));
	assert_false(hidden_has(&all, "/a", "", "b-cd"));
	assert_false(hidden_has(&all, "/a", "", "c"));
	assert_false(hidden_has(&all, "/a", "b", "b"));
	assert_false(hidden_has(&all, "/a", "b.c", "e"));
	assert_false(hidden_has(&all, "/", "", "b"));
	assert_false(hidden_has(&(struct hidden){ 0 }, "/a", "", "b"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_lies_below_a_directory_is_of_it),
		cmocka_unit_test(an_entry_is_hidden_by_its_whole_path_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

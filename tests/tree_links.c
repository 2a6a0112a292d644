/* tests/tree_links.c - links that leave the tree: kept where writes are confined, else replaced. */
#include "config.h"

#include "tree_place.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

static char copy[4096];

static const char *expect(uint32_t follow_out)
{
	const char *found = place_once(follow_out);
	if (!found)
		fail_msg("cannot %s: %s; %s", place.err.action, place.err.subject, place.err.recovery);
	snprintf(copy, sizeof(copy), "%s", found + strlen(place.base) + 1);
	return found;
}

static mode_t kind_of(const char *name)
{
	struct stat found;
	return lstat(place_path("%s/%s", copy, name), &found) < 0 ? 0 : found.st_mode & S_IFMT;
}

static void assert_content(const char *name, const char *content)
{
	auto_free char *there = place_read(place_path("%s/%s", copy, name));
	if (!there)
		fail_msg("%s is missing", name);
	assert_string_equal(there, content);
}

static void assert_leads(const char *name, const char *target)
{
	char there[PATH_MAX] = { 0 };
	assert_true(readlink(place_path("%s/%s", copy, name), there, sizeof(there) - 1) > 0);
	assert_string_equal(there, target);
}

static void make_links(void)
{
	place_directory(place_path("outside"));
	place_write(place_path("outside/f"), "outside");
	place_directory(place_path("outside/d"));
	place_write(place_path("outside/d/g"), "g");
	assert_int_equal(symlink("../f", place_path("outside/d/up")), 0);
	place_write(place_path("work/f"), "inside");
	place_directory(place_path("work/d"));
	assert_int_equal(symlink("../f", place_path("work/d/in")), 0);
	assert_int_equal(symlink("../../outside/f", place_path("work/d/file")), 0);
	assert_int_equal(symlink(place_path("outside"), place_path("work/folder")), 0);
	assert_int_equal(symlink(place_path("work/f"), place_path("work/d/back")), 0);
	assert_int_equal(symlink("folder/d/g", place_path("work/through")), 0);
	assert_int_equal(symlink(place_path("missing"), place_path("work/broken")), 0);
	assert_int_equal(symlink("not here", place_path("work/broken in")), 0);
	assert_int_equal(symlink(place_path("work/not here"), place_path("work/broken back")), 0);
	assert_int_equal(symlink("self", place_path("work/self")), 0);
	assert_int_equal(symlink("/dev/null", place_path("work/null")), 0);
}

static void links_stay_links_where_writes_are_confined(void **state)
{
	(void)state;
	make_links();
	place_assert_equal(place.tree, expect(0));
}

static void a_link_out_of_the_tree_is_replaced_by_what_it_leads_to(void **state)
{
	(void)state;
	make_links();
	for (int round = 0; round < 3; round++) {
		const char *found = expect(1);
		assert_leads("d/in", "../f");
		assert_int_equal(kind_of("d/file"), S_IFREG);
		assert_content("d/file", "outside");
		assert_int_equal(kind_of("folder"), S_IFDIR);
		assert_content("folder/d/g", "g");
		assert_leads("folder/d/up", "../f");
		assert_int_equal(kind_of("through"), S_IFREG);
		assert_content("through", "g");
		auto_free char *back = NULL;
		assert_true(asprintf(&back, "%s/f", found) > 0);
		assert_leads("d/back", back);
		assert_leads("self", "self");
		assert_leads("broken in", "not here");
		assert_int_equal(kind_of("null"), 0);
		assert_int_equal(place.work.skipped, 1);
		place_let_age();
	}
	assert_int_equal(place.work.created + place.work.rewritten + place.work.removed, 0);
}

static void writing_through_any_link_of_the_copy_leaves_the_outside_as_it_is(void **state)
{
	(void)state;
	static const char *const names[] = { "d/in", "d/file", "folder/f", "folder/d/up", "d/back",
					     "through", "broken", "broken in", "broken back", "self" };
	make_links();
	expect(1);
	for (size_t i = 0; i < N_ELEMENTS(names); i++) {
		int fd = open(place_path("%s/%s", copy, names[i]), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			      0644);
		if (fd >= 0) {
			assert_int_equal(write(fd, "spoilt", 6), 6);
			close(fd);
		}
	}
	auto_free char *outside = place_read(place_path("outside/f"));
	auto_free char *inside = place_read(place_path("work/f"));
	assert_string_equal(outside, "outside");
	assert_string_equal(inside, "inside");
	assert_int_equal(access(place_path("missing"), F_OK), -1);
	assert_int_equal(access(place_path("work/not here"), F_OK), -1);
	assert_int_equal(place_count(place_path("outside")), 4);
}

static void what_a_link_leads_to_is_looked_at_every_time(void **state)
{
	(void)state;
	make_links();
	expect(1);
	place_let_age();
	expect(1);
	place_write(place_path("outside/f"), "changed");
	place_write(place_path("outside/d/new"), "new");
	place_write(place_path("missing"), "made later");
	expect(1);
	assert_content("d/file", "changed");
	assert_content("folder/d/new", "new");
	assert_content("broken", "made later");
	place_let_age();
	unlink(place_path("missing"));
	place_remove(place_path("outside/d"));
	expect(1);
	assert_int_equal(kind_of("broken"), S_IFLNK);
	assert_int_equal(kind_of("folder/d"), 0);
	assert_int_equal(kind_of("through"), S_IFLNK);
	place_assert_equal(place.tree, expect(0));
}

static void links_in_a_circle_end(void **state)
{
	(void)state;
	place_directory(place_path("outside"));
	assert_int_equal(symlink("../work", place_path("outside/back")), 0);
	assert_int_equal(symlink("../outside", place_path("outside/again")), 0);
	assert_int_equal(symlink(place_path("outside"), place_path("work/out")), 0);
	assert_int_equal(symlink("..", place_path("work/up")), 0);
	assert_int_equal(symlink(".", place_path("work/here")), 0);
	expect(1);
	assert_true(place.work.walked < 100);
	assert_leads("here", ".");
	assert_int_equal(kind_of("out"), S_IFDIR);
	assert_int_equal(kind_of("out/again"), 0);
}

static void a_link_to_a_hidden_path_is_refused_by_name(void **state)
{
	(void)state;
	static char setting[512];
	static const char *const targets[] = { "secret", "secret/key", "around", "chain" };
	place_directory(place_path("around"));
	place_directory(place_path("around/secret"));
	place_write(place_path("around/secret/key"), "key");
	assert_int_equal(symlink("around/secret", place_path("secret")), 0);
	assert_int_equal(symlink(place_path("secret/key"), place_path("chain")), 0);
	snprintf(setting, sizeof(setting), "filesystem.hidden=%s", place_path("around/secret"));
	place.settings[0] = setting;
	for (size_t i = 0; i < N_ELEMENTS(targets); i++) {
		assert_int_equal(symlink(place_path("%s", targets[i]), place_path("work/link")), 0);
		assert_null(place_once(1));
		assert_int_equal(place.err.code, PINFOLD_E_TREE);
		assert_non_null(strstr(place.err.subject, "/work/link"));
		assert_non_null(strstr(place.err.recovery, "/around/secret, which is hidden"));
		assert_int_equal(access(place_path("s/t"), F_OK) == 0 ? place_count(place_path("s/gone")) : 0,
				 0);
		place_assert_equal(place.tree, expect(0));
		unlink(place_path("work/link"));
	}
	expect(1);
}

static void what_links_lead_to_counts_against_the_budget(void **state)
{
	(void)state;
	place.settings[0] = "copy.max-files=10";
	place_directory(place_path("outside"));
	for (int i = 0; i < 10; i++)
		place_write(place_path("outside/%d", i), "");
	assert_int_equal(symlink("../outside", place_path("work/link")), 0);
	assert_null(place_once(1));
	assert_non_null(strstr(place.err.subject, "11 files, past the budget of 10"));
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(links_stay_links_where_writes_are_confined),
		TREE_TEST(a_link_out_of_the_tree_is_replaced_by_what_it_leads_to),
		TREE_TEST(writing_through_any_link_of_the_copy_leaves_the_outside_as_it_is),
		TREE_TEST(what_a_link_leads_to_is_looked_at_every_time),
		TREE_TEST(links_in_a_circle_end),
		TREE_TEST(a_link_to_a_hidden_path_is_refused_by_name),
		TREE_TEST(what_links_lead_to_counts_against_the_budget),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

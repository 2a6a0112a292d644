/* tests/tree_renames.c - what commands of a session renamed is known as that by the commands after it. */
#include "config.h"

#include "tree_place.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/changes.h"
#include "tree/copies.h"
#include "tree/kept.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define tree_at(name) place_path("work/%s", name)

/* A command of the session, or none: the copy is brought up to date anyway. */
static void in_session(const char *script)
{
	struct pinfold_place_order order = { .size = sizeof(order), .session = "s" };
	struct pinfold_copy *copy = NULL;
	char line[8192];
	if (place_open_order(&order, &copy) < 0 || place_sync(copy) < 0)
		fail_msg("cannot %s: %s", place.err.action, place.err.subject);
	snprintf(line, sizeof(line), "cd '%s' && { %s\n}", copies_trees.directory(copy), script);
	assert_int_equal(system(line), 0);
	copies_trees.close(copy, PINFOLD_COPY_KEEP);
}

static void in_tree(const char *script)
{
	char line[8192];
	snprintf(line, sizeof(line), "cd '%s' && { %s\n}", place.tree, script);
	assert_int_equal(system(line), 0);
}

static char *changes_of(const struct kept_part *part)
{
	struct text lines = { 0 };
	struct changes found;
	struct changes_order order = {
		.place = part->path, .place_fd = part->place_fd, .held_fd = part->held_fd,
		.layer = part->layer, .base = &part->base, .processors = 2,
	};
	if (changes_find(&order, &found, &place.err) < 0)
		fail_msg("cannot %s: %s", place.err.action, place.err.subject);
	text_add(&lines, "");
	for (size_t i = 0; i < found.count; i++) {
		const struct change *change = &found.items[i];
		text_addf(&lines, "%s %s%s%s%s%s\n", change_kind_name(change->kind), change->path,
			  change->what & CHANGED_CONTENT ? " content" : "",
			  change->what & CHANGED_MODE ? " mode" : "", change->from ? " < " : "",
			  change->from ? change->from : "");
	}
	changes_release(&found);
	return text_take(&lines);
}

static void assert_changes(const char *expected)
{
	struct kept *kept = NULL;
	if (kept_open(place_config(), place.tree, "s", &kept, &place.err) < 0)
		fail_msg("cannot %s: %s", place.err.action, place.err.subject);
	auto_free char *text = changes_of(&kept->parts[0]);
	kept_close(kept);
	assert_string_equal(text, expected);
}

static int set_up(void **state)
{
	place_set_up(state);
	in_tree("echo 'the content of a' >a; echo 'b, which has another' >b; mkdir d d/e other;"
		"echo 'x has its own' >d/x; echo 'z lies deeper' >d/e/z; echo y >d/y; ln -s a link");
	place_let_age();
	return 0;
}

/* Nothing of it is found by content: what was renamed was changed as well. */
static const char rename_and_change[] =
	"mv a renamed; echo more >>renamed; mv d/x other/x; echo more >>other/x; chmod 0755 other/x;"
	"mv b d/b; echo more >>d/b; mv d/e other/e; echo more >>other/e/z";

static const char renamed_and_changed[] =
	"renamed d/b content < b\n"
	"renamed other/e < d/e\n"
	"modified other/e/z content < d/e/z\n"
	"renamed other/x content mode < d/x\n"
	"renamed renamed content < a\n";

static void what_an_earlier_command_renamed_and_changed_stays_known(void **state)
{
	(void)state;
	in_session(rename_and_change);
	assert_changes(renamed_and_changed);
	for (int i = 0; i < 3; i++) {
		in_session("true");
		assert_changes(renamed_and_changed);
	}
}

static void what_is_renamed_again_keeps_its_name_in_the_tree(void **state)
{
	(void)state;
	in_session(rename_and_change);
	in_session("mv renamed other/a; mv other/x d/y; rm -r other/e");
	in_session("echo more >>other/a");
	assert_changes("renamed d/b content < b\n"
		       "removed d/e\n"
		       "removed d/e/z\n"
		       "removed d/x\n"
		       "modified d/y content mode\n"
		       "renamed other/a content < a\n");
}

static void what_the_tree_does_to_the_old_name_changes_nothing_in_that(void **state)
{
	(void)state;
	in_session(rename_and_change);
	in_tree("touch a; echo person >>b; chmod 0600 d/x");
	in_session("true");
	assert_changes(renamed_and_changed);
}

static void what_a_command_moved_out_of_a_directory_that_it_removed_is_known(void **state)
{
	(void)state;
	in_session("mv d/e/z z; echo more >>z; mv d/x x; echo more >>x; rm -r d");
	in_session("true");
	in_session("true");
	assert_changes("removed d\n"
		       "removed d/e\n"
		       "removed d/y\n"
		       "renamed x content < d/x\n"
		       "renamed z content < d/e/z\n");
}

/* The file systems that use a freed inode at once are those for which this matters. */
static void a_file_that_gets_the_inode_of_one_removed_earlier_is_new(void **state)
{
	(void)state;
	in_session("rm a d/x d/e/z");
	place_let_age();
	in_session("for i in 1 2 3 4 5 6 7 8; do echo \"fresh content $i\" >fresh; [ $i = 8 ] || rm fresh; done");
	in_session("true");
	assert_changes("removed a\nremoved d/e/z\nremoved d/x\nadded fresh\n");
}

static void what_goes_back_to_its_place_is_in_step_again(void **state)
{
	(void)state;
	in_session("mv a renamed; echo more >>renamed");
	in_session("echo 'the content of a' >a; rm renamed");
	in_session("true");
	assert_changes("");
	in_tree("echo new >a");
	in_session("[ \"$(cat a)\" = new ]");
	assert_changes("");
}

#define RENAME_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, place_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RENAME_TEST(what_an_earlier_command_renamed_and_changed_stays_known),
		RENAME_TEST(what_is_renamed_again_keeps_its_name_in_the_tree),
		RENAME_TEST(what_the_tree_does_to_the_old_name_changes_nothing_in_that),
		RENAME_TEST(what_a_command_moved_out_of_a_directory_that_it_removed_is_known),
		RENAME_TEST(a_file_that_gets_the_inode_of_one_removed_earlier_is_new),
		RENAME_TEST(what_goes_back_to_its_place_is_in_step_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

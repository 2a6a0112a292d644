/* tests/tree_uncover.c - a part of what lies in a directory that hides all below it is applied: the layer shows
 * the same as before, and from then on what becomes of that part. */
#include "config.h"

#include "tree_applied.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char *lacks[FOUND_VIEWS];

/* The paths that are declined, with all below. */
static const char *const *declined;

static int answer(void *context, const struct apply_item *item, struct pinfold_error *err)
{
	(void)context;
	(void)err;
	for (const char *const *path = declined; *path; path++) {
		size_t bytes = strlen(*path);
		if (strncmp(item->change->path, *path, bytes) == 0 &&
		    (item->change->path[bytes] == '\0' || item->change->path[bytes] == '/'))
			return APPLY_NO;
	}
	return APPLY_YES;
}

struct scene {
	const char *command;
	const char *const *declined;
	const char *left;	/* the changes after the first apply */
	const char *edits;	/* of the person then */
	const char *seen;	/* what a command finds after these: true, or the test fails */
};

static void make_tree(void)
{
	applied_meanwhile("mkdir -p d/e d/g; echo a >a; echo x >d/x; echo y >d/y; echo z >d/e/z; echo h >d/g/h");
}

static void apply_some(const struct scene *scene)
{
	declined = scene->declined;
	applied_order.ask = answer;
	applied_order.allow_risky = true;
	if (applied_run() < 0)
		fail_msg("cannot %s: %s; %s", place.err.action, place.err.subject, place.err.recovery);
	assert_true(applied.done);
}

static void apply_rest(void)
{
	static const char *const none[] = { NULL };
	declined = none;
	if (applied_run() < 0)
		fail_msg("cannot %s: %s; %s", place.err.action, place.err.subject, place.err.recovery);
	assert_true(applied.done);
	assert_string_equal(found_changes(NULL), "");
}

static void play_in(enum found_view view, const struct scene *scene)
{
	static const char list[] = "find . -mindepth 1 -printf '%p %y %m\\n' -type f -exec cat {} + | sort";
	char script[4096];
	assert_int_equal(place_set_up(NULL), 0);
	make_tree();
	applied_start(view);
	applied_command(scene->command);
	snprintf(script, sizeof(script), "%s >'%s'", list, place_path("before"));
	applied_command(script);
	apply_some(scene);
	assert_string_equal(found_changes(NULL), scene->left);
	snprintf(script, sizeof(script), "%s | cmp - '%s'", list, place_path("before"));
	applied_command(script);	/* the layer shows what it showed */
	assert_string_equal(found_changes(NULL), scene->left);
	applied_meanwhile(scene->edits);
	snprintf(script, sizeof(script), "%s", scene->seen);
	applied_command(script);
	assert_string_equal(found_changes(NULL), scene->left);
	apply_rest();
	snprintf(script, sizeof(script), "%s >'%s'", list, place_path("after"));
	applied_command(script);
	snprintf(script, sizeof(script), "%s | cmp - '%s'", list, place_path("after"));
	applied_meanwhile(script);
	applied_release();
	assert_int_equal(place_tear_down(NULL), 0);
}

static void play(const struct scene *scene)
{
	for (enum found_view view = FOUND_USER_LAYER; view < FOUND_VIEWS; view++)
		if (!lacks[view])
			play_in(view, scene);
}

static void a_new_directory_shows_what_was_applied_of_it(void **state)
{
	(void)state;
	static const char *const some[] = { "new/b", "new/sub/d", NULL };
	play(&(struct scene){
		.command = "mkdir -p new/sub; echo a >new/a; echo b >new/b; echo c >new/sub/c; echo d >new/sub/d",
		.declined = some,
		.left = "added new/b\nadded new/sub/d\n",
		.edits = "echo person >new/a; echo p >new/sub/p; rm new/sub/c",
		.seen = "[ $(cat new/a) = person ] && [ $(cat new/sub/p) = p ] && [ ! -e new/sub/c ] &&"
			"[ $(cat new/b new/sub/d | tr -d '\\n') = bd ]",
	});
}

static void a_directory_that_was_made_anew_goes_on_hiding_what_was_removed(void **state)
{
	(void)state;
	static const char *const removals[] = { "d/x", "d/y", "d/e", "d/g", NULL };
	play(&(struct scene){
		.command = "rm -r d; mkdir d; echo new >d/new; echo other >d/other",
		.declined = removals,
		.left = "removed d/e\nremoved d/e/z\nremoved d/g\nremoved d/g/h\nremoved d/x\nremoved d/y\n",
		.edits = "echo person >d/new; echo p >d/p",
		.seen = "[ $(cat d/new) = person ] && [ $(cat d/p) = p ] && [ $(ls d | wc -l) = 3 ]",
	});
}

static void directories_that_were_made_anew_in_each_other_do_so_too(void **state)
{
	(void)state;
	static const char *const some[] = { "d/x", "d/y", "d/e/z", "d/e/m", "d/g", "d/deep/er/n", NULL };
	play(&(struct scene){
		.command = "rm -r d; mkdir -p d/e d/deep/er; echo n >d/e/n; echo m >d/e/m; echo m >d/deep/er/m;"
			   "echo n >d/deep/er/n",
		.declined = some,
		.left = "added d/deep/er/n\nadded d/e/m\nremoved d/e/z\nremoved d/g\nremoved d/g/h\n"
			"removed d/x\nremoved d/y\n",
		.edits = "echo person >d/e/n; echo person >d/deep/er/m",
		.seen = "[ $(cat d/e/n) = person ] && [ $(cat d/deep/er/m) = person ] && [ $(ls d | wc -l) = 2 ] &&"
			"[ $(ls d/e | wc -l) = 2 ]",
	});
}

static void what_was_removed_and_applied_is_seen_when_it_comes_again(void **state)
{
	(void)state;
	static const char *const some[] = { "d/e", "d/g", "d/new", NULL };
	play(&(struct scene){
		.command = "rm -r d; mkdir d; echo new >d/new",
		.declined = some,
		.left = "removed d/e\nremoved d/e/z\nremoved d/g\nremoved d/g/h\nadded d/new\n",
		.edits = "echo again >d/x",
		.seen = "[ $(cat d/x) = again ] && [ ! -e d/y ] && [ ! -e d/e ] && [ $(cat d/new) = new ]",
	});
}

static void a_directory_in_the_place_of_a_file_shows_what_was_applied_of_it(void **state)
{
	(void)state;
	static const char *const some[] = { "a/two", NULL };
	play(&(struct scene){
		.command = "rm a; mkdir a; echo one >a/one; echo two >a/two",
		.declined = some,
		.left = "added a/two\n",
		.edits = "echo person >a/one",
		.seen = "[ $(cat a/one) = person ] && [ $(cat a/two) = two ]",
	});
}

static void directories_that_cannot_be_written_are_no_different(void **state)
{
	(void)state;
	static const char *const some[] = { "d/x", "d/y", "d/e", "d/g", "d/new/two", NULL };
	play(&(struct scene){
		.command = "rm -r d; mkdir -p d/new; echo one >d/new/one; echo two >d/new/two; chmod 0555 d/new d",
		.declined = some,
		.left = "removed d/e\nremoved d/e/z\nremoved d/g\nremoved d/g/h\nadded d/new/two\nremoved d/x\n"
			"removed d/y\n",
		.edits = "chmod u+w d/new/one; echo person >d/new/one",
		.seen = "[ $(cat d/new/one) = person ] && [ $(ls d) = new ]",
	});
}

static void assert_content(const char *path, const char *expected)
{
	auto_free char *content = place_read(path);
	assert_non_null(content);
	assert_string_equal(content, expected);
}

static void each_layer(void (*play_it)(void))
{
	for (enum found_view view = FOUND_USER_LAYER; view < FOUND_VIEWS; view++) {
		if (lacks[view])
			continue;
		assert_int_equal(place_set_up(NULL), 0);
		make_tree();
		applied_start(view);
		play_it();
		applied_release();
		assert_int_equal(place_tear_down(NULL), 0);
	}
}

static void meet_again(void)
{
	applied_command("mkdir new; echo a >new/a; echo b >new/b; rm -r d; mkdir d; echo o >d/other; echo n >d/n");
	applied_meanwhile("mkdir new; echo person >new/b; echo person >d/other");
	for (int i = 0; i < 3; i++) {
		applied_order.partial = true;
		assert_int_equal(applied_run(), 0);
		assert_string_equal(applied_left(), "taken d/other\ntaken new/b\n");
		assert_content(applied_at("new/b"), "person\n");
		assert_content(applied_at("d/other"), "person\n");
		if (i == 1)
			applied_command("true");
	}
	assert_content(applied_at("new/a"), "a\n");
}

static void a_conflict_is_one_again_after_the_rest_was_applied(void **state)
{
	(void)state;
	each_layer(meet_again);
}

static void add_where_all_went(void)
{
	applied_command("rm -r d; rm a; mkdir a; echo 1 >a/1");
	applied_meanwhile("echo p >d/p; mkdir d/e/p; echo p >d/e/p/p");
	applied_command("true");
	applied_command("[ ! -e d ] && mkdir d && echo n >d/n");
	assert_string_equal(found_changes(NULL), "retyped a\nadded a/1\nremoved d/e\nremoved d/e/z\nremoved d/g\n"
						 "removed d/g/h\nadded d/n\nremoved d/x\nremoved d/y\n");
	applied_order.partial = true;
	assert_int_equal(applied_run(), 0);
	assert_string_equal(applied_left(), "full d/e\n");
	assert_content(applied_at("d/p"), "p\n");
	assert_content(applied_at("d/e/p/p"), "p\n");
	assert_content(applied_at("d/n"), "n\n");
}

static void what_came_to_a_directory_after_it_was_removed_is_not_removed(void **state)
{
	(void)state;
	each_layer(add_where_all_went);
}

static void mark(const char *path)
{
	auto_free char *directory = strdup(path);
	*strrchr(directory, '/') = '\0';
	mkdir(applied_in("%s", directory), 0755);
	place_write(applied_in("%s", path), "");
	assert_int_equal(setxattr(applied_in("%s", path), "user.overlay.whiteout", "", 0, 0), 0);
}

/* As overlays in which no device can be made have it. */
static void mark_as_removed(void)
{
	mark("d/x");
	mark("./a");
	mark("d/e/z");
	applied_command("true");
	assert_string_equal(found_changes(NULL), "removed a\nremoved d/e/z\nremoved d/x\n");
	assert_int_equal(applied_run(), 0);
	assert_true(applied.done);
	assert_int_equal(access(applied_at("a"), F_OK) + access(applied_at("d/x"), F_OK), -2);
	assert_int_equal(access(applied_at("d/e/z"), F_OK) + access(applied_in("a"), F_OK), -2);
	assert_string_equal(found_changes(NULL), "");
}

static void a_removal_that_an_attribute_marks_is_one(void **state)
{
	(void)state;
	each_layer(mark_as_removed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_directory_shows_what_was_applied_of_it),
		cmocka_unit_test(a_directory_that_was_made_anew_goes_on_hiding_what_was_removed),
		cmocka_unit_test(directories_that_were_made_anew_in_each_other_do_so_too),
		cmocka_unit_test(what_was_removed_and_applied_is_seen_when_it_comes_again),
		cmocka_unit_test(a_directory_in_the_place_of_a_file_shows_what_was_applied_of_it),
		cmocka_unit_test(directories_that_cannot_be_written_are_no_different),
		cmocka_unit_test(a_removal_that_an_attribute_marks_is_one),
		cmocka_unit_test(a_conflict_is_one_again_after_the_rest_was_applied),
		cmocka_unit_test(what_came_to_a_directory_after_it_was_removed_is_not_removed),
	};
	for (enum found_view view = FOUND_USER_LAYER; view < FOUND_VIEWS; view++) {
		lacks[view] = found_lacks(view);
		if (lacks[view])
			print_message("not tested: %s; it takes %s\n", found_view_names[view], lacks[view]);
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}

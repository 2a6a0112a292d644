/* tests/tree_walk_put_back.c - discarding single changes that fails, or ends, at any of its system calls. */
#include "config.h"

#include "power.h"
#include "snapshot.h"
#include "tree_place.h"
#include "walk.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/copies.h"
#include "tree/put_back.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>

/* What is discarded in: a copy or a layer, of a session or of the last run. */
struct scene {
	const char *session;
	bool layer;
};

#define MOST "modified d/f|added d/x|removed g|modified m|removed r|removed r/1|removed r/s|removed r/s/2|retyped t|" \
	     "added t/in|"
static const char before[] = "renamed b < a|" MOST;
static const char before_in_layer[] = "removed a|added b|" MOST;
static const char after[] = "modified d/f|removed g|";
static char *tree_before;
static char told[2048];
static bool powered;	/* killed, and with it all that was not on the disk */

static int set_up(void **state)
{
	int result = place_set_up(state);
	place.settings[0] = "copy.threads=1";
	return result;
}

static int tear_down(void **state)
{
	walk_tell();
	free(tree_before);
	tree_before = NULL;
	power_off();
	powered = false;
	return place_tear_down(state);
}

static void fail_telling(const char *what)
{
	fail_msg("%s: cannot %s: %s (%d); %s", what, place.err.action, place.err.subject, place.err.sys,
		 place.err.recovery);
}

static void make_tree(void)
{
	static const char *const directories[] = { "work", "work/d", "work/r", "work/r/s" };
	static const char *const files[] = { "a", "d/f", "g", "m", "r/1", "r/s/2", "t" };
	place_remove(place_path("s"));
	place_remove(place_path("work"));
	for (size_t i = 0; i < N_ELEMENTS(directories); i++)
		place_directory(place_path("%s", directories[i]));
	for (size_t i = 0; i < N_ELEMENTS(files); i++)
		place_write(place_path("work/%s", files[i]), files[i]);
}

/* As a command would; in a layer as the kernel would for it. */
static void change(const struct scene *scene, const char *held)
{
	if (scene->layer) {
		static const char *const gone[] = { "a", "g", "r" };
		place_directory(place_path("%s/d", held));
		for (size_t i = 0; i < N_ELEMENTS(gone); i++)
			assert_int_equal(mknod(place_path("%s/%s", held, gone[i]), S_IFCHR, 0), 0);
	} else {
		rename(place_path("%s/a", held), place_path("%s/b", held));
		unlink(place_path("%s/g", held));
		unlink(place_path("%s/t", held));
		place_remove(place_path("%s/r", held));
	}
	if (scene->layer)
		place_write(place_path("%s/b", held), "of the command's own");
	place_write(place_path("%s/d/f", held), "by the command");
	place_write(place_path("%s/d/x", held), "by the command");
	place_write(place_path("%s/m", held), "by the command");
	place_directory(place_path("%s/t", held));
	place_write(place_path("%s/t/in", held), "by the command");
	if (scene->layer)
		assert_int_equal(setxattr(place_path("%s/t", held), "user.overlay.opaque", "y", 1, 0), 0);
}

/* A run, which changes all that where it is to. */
static int run(const struct scene *scene, bool changing)
{
	struct pinfold_place_order order = {
		.size = sizeof(order), .session = scene->session, .layer = scene->layer,
	};
	struct pinfold_copy *copy = NULL;
	int result = place_open_order(&order, &copy);
	if (result == 0)
		result = place_sync(copy);
	const char *held = result < 0 ? NULL :
			   scene->layer ? copies_trees.upper(copy) : copies_trees.directory(copy);
	if (held && changing)
		change(scene, held + strlen(place.base) + 1);
	place_close(copy, PINFOLD_COPY_KEEP);
	return result;
}

static void a_scene(void *context)
{
	make_tree();
	place_let_age();
	if (run(context, true) < 0)
		fail_telling("a run");
	if (powered)
		power_sync();
	free(tree_before);
	tree_before = snapshot_of(place.tree, SNAPSHOT_ALL);
}

static int look(struct kept_part *part, const char *const *paths, struct changes *ret_changes)
{
	struct changes_order order = {
		.place = part->path, .place_fd = part->place_fd, .held_fd = part->held_fd,
		.layer = part->layer, .base = &part->base, .paths = paths, .processors = 1,
	};
	return changes_find(&order, ret_changes, &place.err);
}

static int discard_paths(const struct scene *scene)
{
	static const char *const paths[] = { "a", "b", "d/x", "m", "r", "t", NULL };
	struct kept *kept;
	struct changes changes;
	if (kept_open(place_config(), place.tree, scene->session, &kept, &place.err) < 0)
		return -1;
	int result = look(&kept->parts[0], paths, &changes);
	if (result == 0) {
		result = put_back(kept, &(struct put_back_item){ &kept->parts[0], &changes }, 1, &place.err);
		changes_release(&changes);
	}
	kept_close(kept);
	return result;
}

static int act(void *context)
{
	return discard_paths(context);
}

/* What is told of it now. */
static const char *tell(const struct scene *scene)
{
	struct kept *kept;
	struct changes changes;
	struct text text = { 0 };
	if (kept_open(place_config(), place.tree, scene->session, &kept, &place.err) < 0 ||
	    look(&kept->parts[0], NULL, &changes) < 0)
		fail_telling("a look");
	for (size_t i = 0; i < changes.count; i++)
		text_addf(&text, "%s %s%s%s|", change_kind_name(changes.items[i].kind), changes.items[i].path,
			  changes.items[i].from ? " < " : "",
			  changes.items[i].from ? changes.items[i].from : "");
	snprintf(told, sizeof(told), "%s", text.data ? text.data : "");
	text_release(&text);
	changes_release(&changes);
	kept_close(kept);
	return told;
}

static void assert_told(const struct scene *scene, const char *expected)
{
	assert_string_equal(tell(scene), expected);
}

static void assert_tree_untouched(void)
{
	auto_free char *now = snapshot_of(place.tree, SNAPSHOT_ALL);
	snapshot_assert_equal(tree_before, now);
}

/* Of each fault another thing is what comes next. */
static void check(void *context, const struct walked *walked)
{
	const struct scene *scene = context;
	bool must = walked->end == WALK_SUCCEEDED;
	if (powered)
		power_fail(walked->call % 2);
	if (scene->session && walked->call % 2 && run(scene, false) < 0)
		fail_telling("the next run");
	tell(scene);
	if (!streq(told, after) && (must || !streq(told, scene->layer ? before_in_layer : before)))
		fail_msg("it tells of %s", told);
	assert_tree_untouched();
	if (discard_paths(scene) < 0)
		fail_telling("the next discard");
	assert_told(scene, after);
	if (run(scene, false) < 0)
		fail_telling("the next run");
	assert_told(scene, scene->session ? after : "");
	assert_tree_untouched();
}

static void walk(const struct scene *scene)
{
	const struct walk walk = { .prepare = a_scene, .act = act, .check = check, .kills = powered, .most = 60 };
	assert_in_range(walk_run(&walk, (void *)scene), 20, 100000);
}

static void changes_of_a_session_are_all_dropped_or_all_there(void **state)
{
	(void)state;
	walk(&(struct scene){ .session = "s" });
}

static void changes_of_the_last_run_are_all_dropped_or_all_there(void **state)
{
	(void)state;
	walk(&(struct scene){ 0 });
}

static void changes_of_a_layer_are_all_dropped_or_all_there(void **state)
{
	(void)state;
	walk(&(struct scene){ .session = "s", .layer = true });
}

static void changes_of_the_last_layer_are_all_dropped_or_all_there(void **state)
{
	(void)state;
	walk(&(struct scene){ .layer = true });
}

/* At every call, and what was not on the disk then is gone. */
static void after_a_loss_of_power_changes_are_all_dropped_or_all_there(void **state)
{
	(void)state;
	powered = true;
	power_on();
	walk(&(struct scene){ .session = "s" });
}

static void after_a_loss_of_power_changes_of_a_layer_are_all_dropped_or_all_there(void **state)
{
	(void)state;
	powered = true;
	power_on();
	walk(&(struct scene){ .session = "s", .layer = true });
}

static void after_a_loss_of_power_changes_of_the_last_run_are_all_dropped_or_all_there(void **state)
{
	(void)state;
	powered = true;
	power_on();
	walk(&(struct scene){ 0 });
}

#define WALK_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WALK_TEST(changes_of_a_session_are_all_dropped_or_all_there),
		WALK_TEST(changes_of_the_last_run_are_all_dropped_or_all_there),
		WALK_TEST(changes_of_a_layer_are_all_dropped_or_all_there),
		WALK_TEST(changes_of_the_last_layer_are_all_dropped_or_all_there),
		WALK_TEST(after_a_loss_of_power_changes_are_all_dropped_or_all_there),
		WALK_TEST(after_a_loss_of_power_changes_of_a_layer_are_all_dropped_or_all_there),
		WALK_TEST(after_a_loss_of_power_changes_of_the_last_run_are_all_dropped_or_all_there),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

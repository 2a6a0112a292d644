/* tests/tree_walk_kept.c - discarding and collecting that fail, or end, at any of their system calls. */
#include "config.h"

#include "power.h"
#include "snapshot.h"
#include "tree_place.h"
#include "walk.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/collect.h"
#include "tree/copies.h"
#include "tree/kept.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

static char *tree_before, *outside_before;
static bool powered;	/* killed, and with it all that was not on the disk */
static bool layers;	/* commands run in layers over the tree, not in copies */

static int set_up(void **state)
{
	int result = place_set_up(state);
	place.settings[0] = "copy.threads=1";
	place.settings[1] = "session.keep-count=1";
	place.settings[2] = "copy.keep-days=1";
	layers = powered = false;
	return result;
}

static int tear_down(void **state)
{
	walk_tell();
	free(tree_before);
	free(outside_before);
	tree_before = outside_before = NULL;
	power_off();
	return place_tear_down(state);
}

/* It may be the one that fails. */
static int write_file(const char *path)
{
	auto_close int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	return fd >= 0 && write(fd, "by the command", 14) == 14 ? 0 : -1;
}

/* A run of the session, or of none, that changes `name` where that is not NULL. */
static int run(const char *session, const char *name)
{
	char path[4096];
	struct pinfold_place_order order = { .size = sizeof(order), .session = session, .layer = layers };
	struct pinfold_copy *copy = NULL;
	int result = place_open_order(&order, &copy);
	if (result == 0)
		result = place_sync(copy);
	if (result == 0 && name) {
		const char *held = layers ? copies_trees.upper(copy) : copies_trees.directory(copy);
		snprintf(path, sizeof(path), "%s/d", held);
		mkdir(path, 0755);	/* a layer has it only now */
		snprintf(path, sizeof(path), "%s/%s", held, name);
		result = write_file(path);
	}
	place_close(copy, PINFOLD_COPY_KEEP);
	return result;
}

static void expect_run(const char *session, const char *name)
{
	if (run(session, name) < 0)
		fail_msg("cannot %s: %s (%d); %s", place.err.action, place.err.subject, place.err.sys,
			 place.err.recovery);
}

static void a_scene(void *context)
{
	(void)context;
	place_remove(place_path("s"));
	place_remove(place_path("work"));
	place_remove(place_path("outside"));
	place_directory(place_path("outside"));
	place_write(place_path("outside/f"), "outside");
	place_directory(place_path("work"));
	place_directory(place_path("work/d"));
	place_write(place_path("work/d/f"), "f");
	place_write(place_path("work/g"), "g");
	expect_run("s", "d/f");
	expect_run("s", "g");
	expect_run("same", NULL);
	expect_run(NULL, "g");
	if (powered)
		power_sync();
	free(tree_before);
	free(outside_before);
	tree_before = snapshot_of(place.tree, SNAPSHOT_ALL);
	outside_before = snapshot_of(place_path("outside"), SNAPSHOT_ALL);
}

static void assert_all_untouched(void)
{
	auto_free char *tree = snapshot_of(place.tree, SNAPSHOT_ALL);
	auto_free char *outside = snapshot_of(place_path("outside"), SNAPSHOT_ALL);
	snapshot_assert_equal(tree_before, tree);
	snapshot_assert_equal(outside_before, outside);
}

/* How many changes there are; -1 where nothing is kept. */
static int count(const char *session)
{
	struct kept *kept;
	uint64_t found = 0;
	place.err = (struct pinfold_error){ 0 };
	if (kept_open(place_config(), place.tree, session, &kept, &place.err) < 0) {
		assert_int_equal(place.err.code, PINFOLD_E_SESSION);
		return -1;
	}
	assert_int_equal(kept_count(kept, &found, &place.err), 0);
	kept_close(kept);
	return (int)found;
}

/* A killed discard of the last run has cost its copy, which the next run makes anew. */
static void assert_next_run_works(void)
{
	expect_run("s", NULL);
	expect_run(NULL, NULL);
	assert_int_equal(count(NULL), 0);
	assert_all_untouched();
}

static void lose_power(const struct walked *walked)
{
	if (powered)
		power_fail(walked->call % 2);
}

static int discard_session(void *context)
{
	(void)context;
	return kept_discard(place_config(), place.tree, "s", &place.err);
}

static void check_session(void *context, const struct walked *walked)
{
	(void)context;
	lose_power(walked);
	assert_all_untouched();
	int left = count("s");
	assert_true(left == -1 || (left == 2 && walked->end != WALK_SUCCEEDED));
	assert_int_equal(count("same"), 0);
	assert_int_equal(count(NULL), 1);
	assert_next_run_works();
}

static int discard_last(void *context)
{
	(void)context;
	return kept_discard(place_config(), place.tree, NULL, &place.err);
}

static void check_last(void *context, const struct walked *walked)
{
	(void)context;
	lose_power(walked);
	assert_all_untouched();
	int left = count(NULL);
	assert_true(left <= 0 || walked->end != WALK_SUCCEEDED);
	assert_int_equal(count("s"), 2);
	assert_next_run_works();
}

static int collect_all(void *context)
{
	struct collect_order order = { .dry_run = false };
	struct collection collection = { 0 };
	(void)context;
	if (collect(place_config(), &order, &collection, &place.err) < 0)
		return -1;
	collect_release(&collection);
	return 0;
}

static void check_collected(void *context, const struct walked *walked)
{
	(void)context;
	lose_power(walked);
	assert_all_untouched();
	assert_int_equal(count("s"), 2);
	int same = count("same"), last = count(NULL);
	assert_true(same == 0 || same == -1);
	assert_true(last == 1 || last == -1);
	assert_next_run_works();
	assert_int_equal(collect_all(NULL), 0);
	assert_int_equal(place_count(place_path("s/gone")), 0);
}

/* What is old enough to go, and a session too many. */
static void an_old_scene(void *context)
{
	a_scene(context);
	char line[1200];
	snprintf(line, sizeof(line), "touch -d '9 days ago' '%s'/t/*/*/lock", place.scratch);
	assert_int_equal(system(line), 0);
	if (powered)
		power_sync();
}

static void walk(const struct walk *walk)
{
	assert_in_range(walk_run(walk, NULL), powered ? 10 : 20, 100000);
}

static void a_session_is_discarded_or_as_it_was(void **state)
{
	(void)state;
	walk(&(struct walk){ .prepare = a_scene, .act = discard_session, .check = check_session, .kills = powered, .most = 25 });
}

static void a_session_in_a_layer_is_discarded_or_as_it_was(void **state)
{
	layers = true;
	a_session_is_discarded_or_as_it_was(state);
}

static void the_last_run_is_discarded_or_made_anew(void **state)
{
	(void)state;
	walk(&(struct walk){ .prepare = a_scene, .act = discard_last, .check = check_last, .kills = powered, .most = 25 });
}

static void the_last_run_in_a_layer_is_discarded_or_as_it_was(void **state)
{
	layers = true;
	the_last_run_is_discarded_or_made_anew(state);
}

static void what_has_changes_outlives_a_collection_that_ends_anywhere(void **state)
{
	(void)state;
	walk(&(struct walk){ .prepare = an_old_scene, .act = collect_all, .check = check_collected, .kills = powered, .most = 25 });
}

static void layers_with_changes_outlive_a_collection_that_ends_anywhere(void **state)
{
	layers = true;
	what_has_changes_outlives_a_collection_that_ends_anywhere(state);
}

static void begin_on_a_disk(void)
{
	powered = true;
	power_on();
}

static void after_a_loss_of_power_a_session_is_discarded_or_as_it_was(void **state)
{
	begin_on_a_disk();
	a_session_is_discarded_or_as_it_was(state);
}

static void after_a_loss_of_power_a_session_in_a_layer_is_discarded_or_as_it_was(void **state)
{
	begin_on_a_disk();
	a_session_in_a_layer_is_discarded_or_as_it_was(state);
}

static void after_a_loss_of_power_the_last_run_is_discarded_or_made_anew(void **state)
{
	begin_on_a_disk();
	the_last_run_is_discarded_or_made_anew(state);
}

static void what_has_changes_outlives_a_loss_of_power_during_a_collection(void **state)
{
	begin_on_a_disk();
	what_has_changes_outlives_a_collection_that_ends_anywhere(state);
}

static void layers_with_changes_outlive_a_loss_of_power_during_a_collection(void **state)
{
	begin_on_a_disk();
	layers_with_changes_outlive_a_collection_that_ends_anywhere(state);
}

static int run_in_session(void *context)
{
	(void)context;
	return run("s", "h");
}

static void check_run(void *context, const struct walked *walked)
{
	(void)context;
	assert_all_untouched();
	int left = count("s");
	assert_true(left == 3 || (left == 2 && walked->end != WALK_SUCCEEDED));
	assert_int_equal(count(NULL), 1);
	expect_run("s", "h");
	assert_int_equal(count("s"), 3);
	assert_next_run_works();
}

/* Opening, settling and closing: what the command changed is told of, and nothing else. */
static void a_run_in_a_layer_that_fails_or_ends_anywhere_loses_nothing_of_its_session(void **state)
{
	(void)state;
	layers = true;
	walk(&(struct walk){ .prepare = a_scene, .act = run_in_session, .check = check_run, .most = 50 });
}

/* What the tree changed since the session's last command. */
static void a_scene_to_be_followed(void *context)
{
	(void)context;
	place_remove(place_path("work/k"));
	place_remove(place_path("work/n"));
	a_scene(NULL);
	place_write(place_path("work/k"), "before");
	expect_run("s", NULL);
	power_sync();
	place_write(place_path("work/k"), "of the tree, and longer");
	place_write(place_path("work/n"), "new in the tree");
	place_directory(place_path("work/e"));
	place_write(place_path("work/e/f"), "new in the tree as well");
	power_sync();
	free(tree_before);
	tree_before = snapshot_of(place.tree, SNAPSHOT_ALL);
}

static int follow(void *context)
{
	(void)context;
	return run("s", NULL);
}

static void check_followed(void *context, const struct walked *walked)
{
	static const char *const followed[] = { "k", "n", "e/f" };
	(void)context;
	lose_power(walked);
	assert_all_untouched();
	assert_int_equal(count("s"), 2);
	expect_run("s", NULL);
	assert_int_equal(count("s"), 2);
	for (size_t i = 0; i < N_ELEMENTS(followed); i++) {
		char line[1200];
		snprintf(line, sizeof(line), "cmp '%s/work/%s' '%s'/t/*/=s/tree/%s >&2", place.base, followed[i], place.scratch,
			 followed[i]);
		assert_int_equal(system(line), 0);
	}
}

static void after_a_loss_of_power_a_session_has_no_changes_but_its_commands(void **state)
{
	(void)state;
	begin_on_a_disk();
	walk(&(struct walk){ .prepare = a_scene_to_be_followed, .act = follow, .check = check_followed, .kills = true,
			     .most = 60 });
}

#define WALK_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WALK_TEST(a_session_is_discarded_or_as_it_was),
		WALK_TEST(a_session_in_a_layer_is_discarded_or_as_it_was),
		WALK_TEST(the_last_run_is_discarded_or_made_anew),
		WALK_TEST(the_last_run_in_a_layer_is_discarded_or_as_it_was),
		WALK_TEST(what_has_changes_outlives_a_collection_that_ends_anywhere),
		WALK_TEST(layers_with_changes_outlive_a_collection_that_ends_anywhere),
		WALK_TEST(after_a_loss_of_power_a_session_is_discarded_or_as_it_was),
		WALK_TEST(after_a_loss_of_power_a_session_in_a_layer_is_discarded_or_as_it_was),
		WALK_TEST(after_a_loss_of_power_the_last_run_is_discarded_or_made_anew),
		WALK_TEST(what_has_changes_outlives_a_loss_of_power_during_a_collection),
		WALK_TEST(layers_with_changes_outlive_a_loss_of_power_during_a_collection),
		WALK_TEST(after_a_loss_of_power_a_session_has_no_changes_but_its_commands),
		WALK_TEST(a_run_in_a_layer_that_fails_or_ends_anywhere_loses_nothing_of_its_session),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

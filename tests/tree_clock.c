/* tests/tree_clock.c - clocks that are not the file system's, or are set back: what was changed is told, and no other.
 *
 * The clock of this program is set as a test wants it: files have the times of the kernel's, as those of another host.
 */
#include "config.h"

#include "tree_place.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/apply.h"
#include "tree/changes.h"
#include "tree/collect.h"
#include "tree/copies.h"
#include "tree/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { HOUR = 3600, DAY = 24 * HOUR };

static long ahead;	/* seconds, of the clock of files */

/* The C library's would be this without the sum. */
int clock_gettime(clockid_t clock, struct timespec *ret_time)
{
	int result = (int)syscall(SYS_clock_gettime, clock, ret_time);
	if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
		ret_time->tv_sec += ahead;
	return result;
}

static int tear_down(void **state)
{
	ahead = 0;
	return place_tear_down(state);
}

static struct pinfold_copy *open_one(const char *session, bool layer)
{
	struct pinfold_place_order order = { .size = sizeof(order), .session = session, .layer = layer };
	struct pinfold_copy *copy = NULL;
	if (place_open_order(&order, &copy) < 0 || place_sync(copy) < 0)
		fail_msg("cannot %s: %s; %s", place.err.action, place.err.subject, place.err.recovery);
	return copy;
}

static const char *in_copy(struct pinfold_copy *copy, bool layer, const char *name)
{
	static char path[4096];
	snprintf(path, sizeof(path), "%s/%s", layer ? copies_trees.upper(copy) : copies_trees.directory(copy), name);
	return path;
}

/* A run whose command writes that into `name`; into nothing for NULL. */
static void run(const char *session, bool layer, const char *name, const char *content)
{
	struct pinfold_copy *copy = open_one(session, layer);
	if (name)
		place_write(in_copy(copy, layer, name), content);
	place_close(copy, PINFOLD_COPY_KEEP);
}

static struct kept *open_kept(const char *session)
{
	struct kept *kept = NULL;
	if (kept_open(place_config(), place.tree, session, &kept, &place.err) < 0)
		fail_msg("cannot %s: %s; %s", place.err.action, place.err.subject, place.err.recovery);
	return kept;
}

static void find_changes(const struct kept *kept, struct changes *ret_changes)
{
	const struct kept_part *part = &kept->parts[0];
	const struct changes_order order = {
		.place = part->path, .place_fd = part->place_fd, .held_fd = part->held_fd, .layer = part->layer,
		.base = &part->base, .processors = 1,
	};
	assert_int_equal(changes_find(&order, ret_changes, &place.err), 0);
}

/* "a c": what the session, or the last run, has changed. */
static void assert_changes(const char *session, const char *expected)
{
	struct text names = { 0 };
	struct changes changes;
	struct kept *kept = open_kept(session);
	find_changes(kept, &changes);
	text_add(&names, "");
	for (size_t i = 0; i < changes.count; i++)
		text_addf(&names, "%s%s", i ? " " : "", changes.items[i].path);
	assert_string_equal(names.data, expected);
	text_release(&names);
	changes_release(&changes);
	kept_close(kept);
}

/* The state of the one that is not applied, or "" where all were. */
static const char *apply(const char *session, const char *path)
{
	struct changes changes;
	struct apply_result result = { 0 };
	const char *state = "";
	struct kept *kept = open_kept(session);
	find_changes(kept, &changes);
	const struct apply_part part = {
		.path = place.tree, .place_fd = kept->parts[0].place_fd, .held_fd = kept->parts[0].held_fd,
		.slot_fd = kept->parts[0].slot_fd, .layer = kept->parts[0].layer, .changes = &changes,
	};
	const struct apply_order order = { .parts = &part, .count = 1, .slot_fd = kept->slot.dir };
	assert_int_equal(apply_run(&order, &result, &place.err), 0);
	for (size_t i = 0; i < result.count; i++) {
		const struct apply_item *item = &result.items[i];
		if (streq(item->change->path, path) && item->state != APPLY_READY)
			state = apply_state_name(item->state);
	}
	assert_int_equal(result.done, *state == '\0');
	apply_result_release(&result);
	changes_release(&changes);
	kept_close(kept);
	return state;
}

static void assert_tree_has(const char *name, const char *content)
{
	auto_free char *found = place_read(place_path("work/%s", name));
	assert_non_null(found);
	assert_string_equal(found, content);
}

static void make_tree(void)
{
	static const char *const names[] = { "a", "b", "c", "d", "e" };
	place_remove(place_path("s"));
	place_remove(place_path("work"));
	place_directory(place_path("work"));
	for (size_t i = 0; i < N_ELEMENTS(names); i++)
		place_write(place_path("work/%s", names[i]), "of the tree");
}

static void play(bool layer, long first, long second)
{
	ahead = first;
	assert_in_range(stamp_now() / 1000000000 - time(NULL) - first + 5, 0, 10);
	make_tree();
	place_let_age();
	run("s", layer, "a", "by the first");
	assert_changes("s", "a");
	place_write(place_path("work/b"), "edited there");
	place_write(place_path("work/new"), "made there");
	place_let_age();
	ahead = second;
	run("s", layer, "c", "by the second");
	assert_changes("s", "a c");
	if (!layer) {	/* the next command sees the tree's */
		struct pinfold_copy *copy = open_one("s", layer);
		auto_free char *b = place_read(in_copy(copy, layer, "b")), *made = place_read(in_copy(copy, layer, "new"));
		assert_string_equal(b, "edited there");
		assert_string_equal(made, "made there");
		place_close(copy, PINFOLD_COPY_KEEP);
		assert_changes("s", "a c");
	}
	place_write(place_path("work/c"), "edited as well");
	assert_string_not_equal(apply("s", "c"), "");
	assert_tree_has("a", "of the tree");
	assert_tree_has("c", "edited as well");
	place_write(place_path("work/c"), "of the tree");
	place_let_age();
	assert_string_equal(apply("s", "c"), "");
	assert_tree_has("a", "by the first");
	assert_tree_has("c", "by the second");
	assert_tree_has("b", "edited there");
	assert_changes("s", "");
	run("s", layer, "d", "later");
	assert_changes("s", "d");
	assert_int_equal(kept_discard(place_config(), place.tree, "s", &place.err), 0);
}

static const long clocks[][2] = {
	{ 0, 0 }, { DAY, DAY }, { -DAY, -DAY }, { DAY, 0 }, { 0, -DAY }, { DAY, -DAY }, { -DAY, DAY }, { 2, -2 },
};

static void a_session_goes_on_whatever_the_clocks_of_its_hosts(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(clocks); i++) {
		print_message("ahead by %ld, then %ld\n", clocks[i][0], clocks[i][1]);
		play(false, clocks[i][0], clocks[i][1]);
	}
}

static void a_session_in_a_layer_goes_on_whatever_the_clocks_of_its_hosts(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(clocks); i++) {
		print_message("ahead by %ld, then %ld\n", clocks[i][0], clocks[i][1]);
		play(true, clocks[i][0], clocks[i][1]);
	}
}

/* The lock of the copy has the time of its run. */
static void set_time_of(struct pinfold_copy *copy, long seconds)
{
	char lock[4096];
	snprintf(lock, sizeof(lock), "%.*s/lock", (int)(strrchr(copies_trees.temporary(copy), '/') - copies_trees.temporary(copy)),
		 copies_trees.temporary(copy));
	place_set_time(lock, time(NULL) + seconds, 0);
}

static void the_last_run_is_the_last_though_the_clock_was_set_back(void **state)
{
	(void)state;
	for (int layer = 0; layer < 2; layer++) {
		make_tree();
		struct pinfold_copy *first = open_one(NULL, layer), *other = open_one(NULL, layer);
		place_write(in_copy(first, layer, "a"), "by the first");
		place_write(in_copy(other, layer, "b"), "by the one beside it");
		set_time_of(other, HOUR);
		place_close(first, PINFOLD_COPY_KEEP);
		place_close(other, PINFOLD_COPY_KEEP);
		run(NULL, layer, "c", "by the last");
		assert_changes(NULL, "c");
		run(NULL, !layer, "d", "by the last, in another view");
		assert_changes(NULL, "d");
	}
}

/* What the tree changed during such a run has times before it. */
static void play_set_back(bool layer)
{
	make_tree();
	place_let_age();
	struct pinfold_copy *copy = open_one("s", layer);
	set_time_of(copy, HOUR);
	place_write(place_path("work/a"), "edited there during the run");
	place_write(in_copy(copy, layer, "a"), "by the command");
	place_write(in_copy(copy, layer, "made"), "by the command");
	place_close(copy, PINFOLD_COPY_KEEP);
	assert_changes("s", "a made");
	assert_string_not_equal(apply("s", "a"), "");
	assert_tree_has("a", "edited there during the run");
	assert_int_equal(kept_discard(place_config(), place.tree, "s", &place.err), 0);
}

static void what_the_tree_changed_while_the_clock_was_set_back_is_a_conflict(void **state)
{
	(void)state;
	play_set_back(false);
	play_set_back(true);
}

static void what_is_left_from_a_time_to_come_is_collected_as_well(void **state)
{
	struct collect_order order = { .dry_run = false };
	struct collection collection = { 0 };
	(void)state;
	place.settings[0] = "copy.keep-count=1";
	make_tree();
	struct pinfold_copy *first = open_one(NULL, false), *other = open_one(NULL, false);
	set_time_of(first, 2 * DAY);
	set_time_of(other, DAY);
	place_close(first, PINFOLD_COPY_KEEP);
	place_close(other, PINFOLD_COPY_KEEP);
	assert_int_equal(collect(place_config(), &order, &collection, &place.err), 0);
	assert_int_equal(collection.count, 2);
	assert_int_equal(collection.items[0].removed + collection.items[1].removed, 1);
	collect_release(&collection);
}

#define CLOCK_TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CLOCK_TEST(a_session_goes_on_whatever_the_clocks_of_its_hosts),
		CLOCK_TEST(a_session_in_a_layer_goes_on_whatever_the_clocks_of_its_hosts),
		CLOCK_TEST(the_last_run_is_the_last_though_the_clock_was_set_back),
		CLOCK_TEST(what_the_tree_changed_while_the_clock_was_set_back_is_a_conflict),
		CLOCK_TEST(what_is_left_from_a_time_to_come_is_collected_as_well),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

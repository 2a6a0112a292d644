/* tests/tree_young.c - what the tree changed within a tick of the look at it is not taken for the base. */
#include "config.h"

#include "tree_found.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/apply.h"
#include "tree/digest.h"
#include "tree/layer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SHORT = 0, LONG, HUGE, FILES };

static const struct {
	const char *name;
	uint64_t bytes;
	bool known;	/* its content is, so the tree's can be told from it */
} files[FILES] = {
	[SHORT] = { "short", 20, true },
	[LONG] = { "long", (2 << 20) + 7, true },
	[HUGE] = { "huge", DIGEST_MOST_YOUNG + 1, false },
};

/* One letter at its start, zeros behind it. */
static int fill(const char *path, char letter, uint64_t bytes)
{
	auto_close int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	return fd >= 0 && pwrite(fd, &letter, 1, 0) == 1 && ftruncate(fd, (off_t)bytes) == 0 ? 0 : -1;
}

static int fill_all(char letter, const char *(*where)(const char *))
{
	for (int i = 0; i < FILES; i++)
		if (fill(where(files[i].name), letter, files[i].bytes) < 0)
			return -1;
	return 0;
}

static const char *in_tree(const char *name)
{
	return place_path("work/%s", name);
}

static int edit(void *context)
{
	(void)context;
	return fill_all('c', found_in);
}

static int drop(void *context)
{
	(void)context;
	for (int i = 0; i < FILES; i++)
		if (unlink(found_in(files[i].name)) < 0)
			return -1;
	return 0;
}

/* The times of the tree now are those that were recorded: it was changed in the same tick. */
static void forge_times(void)
{
	for (size_t i = 0; i < found.count; i++) {
		struct change_side *before = &found.items[i].before;
		struct stamp now;
		assert_int_equal(stamp_read(AT_FDCWD, in_tree(found.items[i].path), &now), 0);
		before->identity = stamp_identity(&now);
		before->stamp.mtime = now.mtime;
		before->stamp.ctime = now.ctime;
	}
}

static void assert_known(const struct change *change, bool known)
{
	auto_close int tree = open(place.tree, O_PATH | O_DIRECTORY | O_CLOEXEC);
	errno = 0;
	auto_close int fd = change_open_before(tree, change);
	if ((fd >= 0) != known)
		fail_msg("the content before of %s: %m", change->path);
	if (!known)
		assert_int_equal(errno, ESTALE);
}

static void assert_state(const char *path, const struct apply_result *result, bool ready)
{
	for (size_t i = 0; i < result->count; i++) {
		const struct apply_item *item = &result->items[i];
		if (streq(item->change->path, path) && (item->state == APPLY_READY) != ready)
			fail_msg("%s is %s", path, apply_state_name(item->state));
	}
}

/* `changed`: the tree was, meanwhile. */
static void assert_all(bool changed)
{
	auto_close int tree = open(place.tree, O_PATH | O_DIRECTORY | O_CLOEXEC);
	auto_close int held = open(found_held, O_PATH | O_DIRECTORY | O_CLOEXEC);
	const struct apply_part part = { .path = place.tree, .place_fd = tree, .held_fd = held,
					 .changes = &found };
	const struct apply_order order = { .parts = &part, .count = 1, .slot_fd = -1, .dry_run = true,
					   .partial = true };
	struct apply_result result = { 0 };
	assert_int_equal(found.count, FILES);
	for (int file = 0; file < FILES; file++)
		for (size_t i = 0; i < found.count; i++)
			if (streq(found.items[i].path, files[file].name))
				assert_known(&found.items[i], files[file].known && !changed);
	assert_int_equal(apply_run(&order, &result, &place.err), 0);
	for (int file = 0; file < FILES; file++)
		assert_state(files[file].name, &result, files[file].known && !changed);
	apply_result_release(&result);
}

static bool are_young(void)
{
	for (size_t i = 0; i < found.count; i++)
		if (!found.items[i].before.young)
			return false;
	return true;
}

static bool play(int (*operate)(void *))
{
	assert_int_equal(place_set_up(NULL), 0);
	assert_int_equal(fill_all('a', in_tree), 0);
	found_start(FOUND_COPY);
	found_run(operate, NULL);
	found_changes(NULL);
	if (!are_young()) {	/* a busy machine */
		found_release();
		assert_int_equal(place_tear_down(NULL), 0);
		return false;
	}
	assert_all(false);
	assert_int_equal(fill_all('p', in_tree), 0);
	forge_times();
	assert_all(true);
	found_release();
	assert_int_equal(place_tear_down(NULL), 0);
	return true;
}

static void a_change_in_the_tick_of_the_look_is_a_conflict(void **state)
{
	(void)state;
	int (*const commands[])(void *) = { edit, drop };
	for (size_t i = 0; i < N_ELEMENTS(commands); i++) {
		int tries = 0;
		while (!play(commands[i]) && tries < 1000)
			tries++;
		assert_true(tries < 1000);
	}
}

static const struct index_entry *settled(const char *path, struct index *index)
{
	auto_close int below = open(place.tree, O_PATH | O_DIRECTORY | O_CLOEXEC);
	auto_close int upper = open(place_path("upper"), O_PATH | O_DIRECTORY | O_CLOEXEC);
	auto_close int slot = open(place.base, O_PATH | O_DIRECTORY | O_CLOEXEC);
	const struct layer_order order = { place.tree, below, upper, slot, NULL, INT64_MAX, false };
	assert_int_equal(layer_settle(&order, "index", &place.err), 0);
	assert_int_equal(index_load(slot, "index", index), 0);
	const struct index_entry *entry = index_find(index, path);
	assert_non_null(entry);
	assert_false(entry->flags & INDEX_UNSURE);
	return entry;
}

static uint64_t young_digest(struct index *index, char letter)
{
	for (int tries = 0; tries < 1000; tries++) {
		assert_int_equal(fill(in_tree("d/f"), letter, files[LONG].bytes), 0);
		const struct index_entry *entry = settled("d/f", index);
		uint64_t digest = entry->digest;
		bool young = stamp_is_young(entry->ctime, index->header->began);
		index_release(index);
		if (young)
			return digest;
	}
	fail_msg("it was never young");
	return 0;
}

/* A file lies over a directory: all in that is removed. */
static void what_is_removed_whole_and_young_has_a_digest(void **state)
{
	(void)state;
	struct index index = { 0 };
	place_directory(place_path("upper"));
	place_directory(in_tree("d"));
	place_write(place_path("upper/d"), "now a file");
	uint64_t digest = young_digest(&index, 'a');
	assert_int_not_equal(digest, 0);
	place_let_age();
	assert_int_equal(settled("d/f", &index)->digest, 0);
	index_release(&index);
	assert_int_not_equal(young_digest(&index, 'p'), digest);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_in_the_tick_of_the_look_is_a_conflict),
		cmocka_unit_test_setup_teardown(what_is_removed_whole_and_young_has_a_digest, place_set_up,
						place_tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

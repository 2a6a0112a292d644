/* tests/tree_forged.c - records of an apply that a command forged in the scratch directory change nothing outside. */
#include "config.h"

#include "tree_place.h"
#include "tree_picture.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/apply_steps.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* The person's own, outside of the tree and of the scratch directory. */
static char *victim;

static int set_up(void **state)
{
	place_set_up(state);
	victim = strdup(place_path("victim"));
	place_directory(victim);
	place_directory(place_path("victim/inner"));
	place_directory(place_path("slot"));
	place_directory(place_path("slot/upper"));
	place_write(place_path("victim/file"), "mine\n");
	place_write(place_path("victim/inner/deep"), "mine too\n");
	assert_int_equal(chmod(place_path("victim/inner"), 0755), 0);
	return 0;
}

static int tear_down(void **state)
{
	free(victim);
	return place_tear_down(state);
}

static struct stamp stamp_of(const char *name)
{
	struct stamp stamp;
	assert_int_equal(stamp_read(AT_FDCWD, place_path("victim%s%s", *name ? "/" : "", name), &stamp), 0);
	return stamp;
}

/* Whatever makes each step most likely to be believed: it is about what is there. */
static void forge_step(struct steps *steps, uint8_t kind, const char *path)
{
	struct step *step = steps_add(steps, kind, 1, path);
	assert_non_null(step);
	step->old = step->new = stamp_of(path);
	step->old.mode ^= 0777;
	step->attributes = true;
}

static void forge_touched(struct steps *steps, const char *path)
{
	struct touched *touched = &steps->touched[steps->touched_count++];
	*touched = (struct touched){ .part = 1, .before = strdup(path), .after = strdup(path), .mtime = 1000,
				     .old = stamp_of(path) };
	touched->old.mtime = 1000;
	touched->old.mode &= ~(uint32_t)S_IRWXU;	/* as though it had been opened up */
}

static void forge(struct steps *steps, const struct apply_part *parts)
{
	*steps = (struct steps){ .parts = parts, .part_count = 2, .token = "0123456789abcdef" };
	steps->areas = calloc(1, sizeof(*steps->areas));
	steps->touched = calloc(2, sizeof(*steps->touched));
	assert_true(steps->areas && steps->touched);
	steps->areas[steps->area_count++] = (struct area){ .part = 1, .path = strdup(""), .fd = -1 };
	for (uint8_t kind = 0; kind < STEP_KINDS; kind++) {
		forge_step(steps, kind, "file");
		forge_step(steps, kind, "inner/deep");
		forge_step(steps, kind, "inner");
	}
	forge_touched(steps, "");
	forge_touched(steps, "inner");
}

static void a_journal_about_another_place_changes_nothing_there(void **state)
{
	(void)state;
	auto_free char *before = picture_of(victim, PICTURE_TIMES);
	auto_close int tree = open(place.tree, O_PATH | O_DIRECTORY), place_fd = open(victim, O_PATH | O_DIRECTORY);
	auto_close int slot = open(place_path("slot"), O_RDONLY | O_DIRECTORY);
	auto_close int upper = open(place_path("slot/upper"), O_PATH | O_DIRECTORY);
	for (enum journal_stage stage = JOURNAL_BEGUN; stage <= JOURNAL_VALID; stage++) {
		const struct apply_part parts[] = {
			{ .path = place.tree, .place_fd = tree, .held_fd = upper, .slot_fd = slot, .layer = true },
			{ .path = victim, .place_fd = place_fd, .held_fd = upper, .slot_fd = slot, .layer = true,
			  .elsewhere = true },
		};
		struct steps steps;
		forge(&steps, parts);
		assert_int_equal(journal_write(&steps, slot, stage, &place.err), 0);
		steps_release(&steps);
		assert_true(apply_is_pending(slot));
		apply_recover(parts, 2, slot, &place.err);
		auto_free char *after = picture_of(victim, PICTURE_TIMES);
		picture_assert_equal(before, after);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_journal_about_another_place_changes_nothing_there, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

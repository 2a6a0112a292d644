/* tree/apply_times.c - what an apply took out and put back has a younger ctime: the base learns of it. */
#include "config.h"

#include "tree/apply_steps.h"

#include "base/cleanup.h"
#include "tree/slot.h"

#include <fcntl.h>
#include <stdio.h>

/* One part's base, while it is brought up to date. */
struct rebasing {
	struct steps *steps;
	uint32_t part;
	struct index base;
	bool learning;		/* else it only looks what there is to learn */
	int64_t youngest;	/* of the times that it is to learn; 0: none */
};

/* What the step took out is back and is what it was, but for its ctime. */
static bool is_back(const struct steps *steps, const struct step *step, struct stamp *ret_now)
{
	const char *name;
	auto_close int dir = step_reach(steps, step->part, step->path, &name);
	return dir >= 0 && stamp_read(dir, name, ret_now) == 0 && step_is(&step->old, ret_now) &&
	       ret_now->inode == step->old.inode && ret_now->ctime != step->old.ctime;
}

static void learn(struct rebasing *rebasing, const struct step *step)
{
	struct stamp now;
	struct index_entry *entry = (struct index_entry *)index_find(&rebasing->base, step->path);
	bool ours = step->part == rebasing->part && entry && entry->kind != INDEX_FOLDER && step->old.mode != 0;
	if (!ours || entry->ctime != step->old.ctime || !is_back(rebasing->steps, step, &now) ||
	    entry->identity != stamp_identity(&now) || entry->mtime != now.mtime)
		return;
	if (rebasing->learning)
		entry->ctime = now.ctime;
	else if (now.ctime > rebasing->youngest)
		rebasing->youngest = now.ctime;
}

static void learn_all(struct rebasing *rebasing, bool learning)
{
	const struct steps *steps = rebasing->steps;
	rebasing->learning = learning;
	for (size_t i = 0; i < steps->count; i++)
		if (steps->items[i].kind != STEP_PUT && steps->items[i].kind != STEP_INNER)
			learn(rebasing, &steps->items[i]);
}

/* A change from here on has another time than those that were learned. */
static void let_time_pass(int64_t youngest)
{
	struct timespec now, pause = { .tv_nsec = 1000000 };
	for (int tries = 0; tries < 100; tries++) {
		clock_gettime(CLOCK_REALTIME_COARSE, &now);
		if ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec > youngest)
			return;
		nanosleep(&pause, NULL);
	}
}

/* The base is as of now; what was too young to be known by its times then is not known by them. */
static void make_younger(struct index *base, int64_t youngest)
{
	struct index_header *header = (struct index_header *)base->header;
	int64_t tick = youngest % 1000000000 == 0 ? INT64_C(2000000001) : STAMP_TICK + 1;
	for (uint32_t i = 0; i < header->count; i++) {
		struct index_entry *entry = (struct index_entry *)&base->entries[i];
		if (!stamp_is_young(entry->ctime, header->began) || entry->flags & INDEX_ABSENT)
			continue;
		if (entry->kind == INDEX_FILE && entry->digest == 0)
			entry->flags |= INDEX_UNSURE;
		entry->ctime = 0;
	}
	header->began = youngest + tick;
}

static int rebase(struct rebasing *rebasing)
{
	const struct apply_part *part = &rebasing->steps->parts[rebasing->part];
	learn_all(rebasing, false);
	if (rebasing->youngest == 0)
		return 0;
	let_time_pass(rebasing->youngest);
	make_younger(&rebasing->base, rebasing->youngest);
	learn_all(rebasing, true);
	if (index_write_again(&rebasing->base, part->slot_fd, SLOT_INDEX_NEXT) < 0)
		return -1;
	return renameat(part->slot_fd, SLOT_INDEX_NEXT, part->slot_fd, SLOT_INDEX);
}

int undo_times(struct steps *steps)
{
	int result = 0;
	for (uint32_t i = 0; i < steps->part_count && result == 0; i++) {
		struct rebasing rebasing = { .steps = steps, .part = i };
		const struct apply_part *part = &steps->parts[i];
		if (part->place_fd < 0 || part->slot_fd < 0)
			continue;
		result = index_load_any(part->slot_fd, SLOT_INDEX, &rebasing.base);
		if (result == 0 && rebasing.base.memory)
			result = rebase(&rebasing);
		index_release(&rebasing.base);
	}
	return result;
}

/* cgroup/group.c - a cgroup of a run's own, with ceilings on all that is in it. */
#include "config.h"

#include "cgroup/group.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "cgroup/files.h"
#include "cgroup/levels.h"
#include "cgroup/mounts.h"
#include "cgroup/place.h"
#include "cgroup/stale.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

enum {
	ATTEMPTS = 8,
	FIRST_FREE_DESCRIPTOR = 10,
	PERIOD = 100000	/* microseconds */
};

struct group {
	struct place place;
	int outer, inner, entry;
	char name[48];
	struct group_hits known;
	bool has_memory;	/* a ceiling on it was asked for */
};

int group_refuse(struct group_refusal *refusal, const char *why, const char *lift)
{
	snprintf(refusal->why, sizeof(refusal->why), "%s", why);
	snprintf(refusal->lift, sizeof(refusal->lift), "%s", lift);
	return -1;
}

int group_refuse_system(struct group_refusal *refusal, const char *what, int sys)
{
	char why[192];
	snprintf(why, sizeof(why), "%s: %s", what, strerror(sys));
	return group_refuse(refusal, why, "look at who else works in the caller's delegated cgroup");
}

/* --- the group ------------------------------------------------------------------------------------------- */
static int make_outer(struct group *group)
{
	uint64_t random;
	for (int i = 0; i < ATTEMPTS; i++) {
		if (getrandom(&random, sizeof(random), 0) != sizeof(random))
			return -1;
		snprintf(group->name, sizeof(group->name), "%s%016" PRIx64, stale_prefix, random);
		if (mkdirat(group->place.directory, group->name, 0700) < 0 && errno != EEXIST)
			return -1;
		group->outer = files_enter(group->place.directory, group->name);
		/* Another run may have taken it for one that was left: then it is gone. */
		if (group->outer >= 0 && stale_lock(group->place.directory, group->name, group->outer))
			return 0;
		cleanup_fd(&group->outer);
		group->outer = -1;
	}
	errno = EBUSY;
	return -1;
}

static int set_number(const struct group *group, const char *file, uint64_t number, const char *after)
{
	char text[64];
	if (number == 0)
		return 0;
	snprintf(text, sizeof(text), "%" PRIu64 "%s", number, after);
	return files_write(group->outer, file, text);
}

/* Memory that could be moved out would be no ceiling; a kernel without swapping has no such file. */
static int set_ceilings(const struct group *group, const struct policy_ceilings *ceilings)
{
	char period[16];
	snprintf(period, sizeof(period), " %d", PERIOD);
	if (set_number(group, "memory.max", ceilings->memory, "") < 0 ||
	    (ceilings->memory && files_write(group->outer, "memory.swap.max", "0") < 0 && errno != ENOENT))
		return -1;
	if (set_number(group, "pids.max", ceilings->tasks, "") < 0)
		return -1;
	return set_number(group, "cpu.max", ceilings->processors * (PERIOD / 100), period);
}

static int make_inner(struct group *group, uint32_t controllers)
{
	char order[32];
	if (files_write(group->outer, "cgroup.subtree_control", levels_order(controllers, '+', order)) < 0 ||
	    mkdirat(group->outer, stale_inner, 0700) < 0)
		return -1;
	group->inner = files_enter(group->outer, stale_inner);
	auto_close int entry = group->inner < 0 ? -1 :
			       openat(group->inner, "cgroup.procs", O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	group->entry = entry < 0 ? -1 : fcntl(entry, F_DUPFD_CLOEXEC, FIRST_FREE_DESCRIPTOR);
	return group->entry < 0 ? -1 : 0;
}

int group_make(const struct policy_ceilings *ceilings, struct group **ret_group, struct group_refusal *refusal)
{
	struct group *group = calloc(1, sizeof(*group));
	if (!group)
		return group_refuse(refusal, "memory is gone", "free memory and try again");
	group->outer = group->inner = group->entry = -1;
	group->has_memory = ceilings->memory != 0;
	if (place_take(ceilings, &group->place, refusal) < 0) {
		free(group);
		return -1;
	}
	stale_reap(group->place.directory);
	if (make_outer(group) < 0 || set_ceilings(group, ceilings) < 0 || make_inner(group, place_wanted(ceilings)) < 0) {
		int sys = errno;
		group_abandon(group);
		return group_refuse_system(refusal, "a cgroup with these ceilings cannot be made", sys);
	}
	*ret_group = group;
	return 0;
}

int group_entry(const struct group *group)
{
	return group->entry;
}

int group_places(struct list *ret_points)
{
	return mounts_list(ret_points);
}

int group_foresee(const struct policy_ceilings *ceilings, struct group_refusal *refusal)
{
	return place_foresee(ceilings, refusal);
}

static uint64_t read_count(int directory, const char *file, const char *word)
{
	char text[512];
	return files_read(directory, file, text, sizeof(text)) < 0 ? 0 : levels_count(text, word);
}

/* The machine's own killer and that of a cgroup above are counted too: memory was at this ceiling where the group
 * was out of it itself. Linux before 6.11 counts refused tasks where the task is that asked, and later where the ceiling is. */
void group_read(struct group *group, struct group_hits *ret_hits)
{
	struct group_hits now = {
		.memory = read_count(group->outer, "memory.events", "oom_kill"),
		.out = read_count(group->outer, "memory.events", "oom"),
		.tasks = read_count(group->outer, "pids.events", "max") + read_count(group->inner, "pids.events", "max"),
	};
	if (ret_hits)
		*ret_hits = (struct group_hits){
			.memory = group->has_memory && now.out != group->known.out ? now.memory - group->known.memory : 0,
			.tasks = now.tasks - group->known.tasks,
			.out = now.out - group->known.out,
		};
	else
		group->known = now;
}

/* What is still in it is ended. */
static void remove_group(struct group *group)
{
	cleanup_fd(&group->entry);
	cleanup_fd(&group->inner);
	if (group->outer >= 0)
		stale_remove(group->place.directory, group->name, group->outer);
	cleanup_fd(&group->outer);
}

void group_free(struct group *group)
{
	if (!group)
		return;
	remove_group(group);
	place_release(&group->place);
	free(group);
}

void group_abandon(struct group *group)
{
	if (!group)
		return;
	remove_group(group);
	place_give_back(&group->place);
	free(group);
}

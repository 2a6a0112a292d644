/* cgroup/group.c - a cgroup of a run's own, with ceilings on all that is in it. */
#include "config.h"

#include "cgroup/group.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "cgroup/files.h"
#include "cgroup/find.h"
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
	PERIOD = 100000,	/* microseconds */
	EVACUATION_ROUNDS = 50
};

/* Whoever had to make room is there, for as long as it lives. */
static const char callers[] = "pinfold-callers";

struct group {
	int place, outer, inner, entry;
	char name[48];
	char point[4096];
	struct group_hits known;
	bool has_memory;	/* a ceiling on it was asked for */
};

int group_refuse(struct group_refusal *refusal, const char *why, const char *lift)
{
	snprintf(refusal->why, sizeof(refusal->why), "%s", why);
	snprintf(refusal->lift, sizeof(refusal->lift), "%s", lift);
	return -1;
}

static int refuse_system(struct group_refusal *refusal, const char *what, int sys)
{
	char why[192];
	snprintf(why, sizeof(why), "%s: %s", what, strerror(sys));
	return group_refuse(refusal, why, "look at who else works in the caller's delegated cgroup");
}

/* --- the place ------------------------------------------------------------------------------------------ */
static uint32_t wanted(const struct policy_ceilings *ceilings)
{
	uint32_t bits = (ceilings->memory ? LEVEL_MEMORY : 0) | (ceilings->tasks ? LEVEL_TASKS : 0) |
			(ceilings->processors ? LEVEL_PROCESSORS : 0);
	return bits ? bits : LEVEL_MEMORY | LEVEL_TASKS | LEVEL_PROCESSORS;
}

static const char *start_delegated(void)
{
	return geteuid() == 0 ?
		"start it in a delegated cgroup: `systemd-run --scope -p Delegate=yes`, with [limits] step-aside = yes" :
		"start it in a delegated cgroup: `systemd-run --user --scope -p Delegate=yes`, with [limits] step-aside = yes";
}

static int refuse_choice(const struct level_choice *choice, struct group_refusal *refusal)
{
	char words[64], why[192];
	if (choice->verdict == LEVEL_FOREIGN)
		return group_refuse(refusal, "no cgroup that holds the caller was delegated to it", start_delegated());
	if (choice->verdict == LEVEL_OCCUPIED)
		return group_refuse(refusal, "the caller itself is in its delegated cgroup, whose processes must lie below it",
				    "set [limits] step-aside = yes, by which all processes there are moved into one below");
	snprintf(why, sizeof(why), "the caller's cgroup has no controller for %s", levels_words(choice->lacking, words));
	return group_refuse(refusal, why, start_delegated());
}

/* One that is cut off at the end of the room is no number of a process. */
static int read_processes(int directory, char *room, size_t bytes)
{
	int result = files_read(directory, "cgroup.procs", room, bytes);
	char *end = strrchr(room, '\n');
	if (end)
		end[1] = '\0';
	return result;
}

/* Processes that begin meanwhile are moved in the next round. */
static int evacuate(int directory, struct group_refusal *refusal)
{
	char text[4096], *rest = NULL;
	if (mkdirat(directory, callers, 0755) < 0 && errno != EEXIST)
		return refuse_system(refusal, "the caller cannot be moved into a cgroup below", errno);
	auto_close int below = files_enter(directory, callers);
	for (int round = 0; below >= 0 && round < EVACUATION_ROUNDS; round++) {
		if (read_processes(directory, text, sizeof(text)) < 0 || !text[0])
			return 0;
		for (char *pid = strtok_r(text, "\n", &rest); pid; pid = strtok_r(NULL, "\n", &rest))
			if (files_write(below, "cgroup.procs", pid) < 0 && errno != ESRCH)
				return refuse_system(refusal, "a process cannot be moved into a cgroup below", errno);
	}
	return group_refuse(refusal, "processes stay in the caller's delegated cgroup", "end those, and try again");
}

static int enable(const struct found *found, size_t index, uint32_t bits, struct group_refusal *refusal)
{
	char order[32], what[96];
	uint32_t missing = bits & ~found->levels[index].enabled;
	if (!missing || files_write(found->directories[index], "cgroup.subtree_control", levels_order(missing, order)) == 0)
		return 0;
	snprintf(what, sizeof(what), "the controllers %s cannot be enabled in the caller's cgroup", order);
	return refuse_system(refusal, what, errno);
}

/* The caller's cgroups are to be released, success or not. */
static int choose(const struct policy_ceilings *ceilings, struct found *ret_found, struct level_choice *ret_choice,
		  struct group_refusal *refusal)
{
	if (find_levels(ret_found, refusal) < 0)
		return -1;
	*ret_choice = levels_choose(ret_found->levels, ret_found->count, geteuid() == 0, wanted(ceilings));
	bool moves = ret_choice->verdict == LEVEL_OCCUPIED && ceilings->step_aside;
	return ret_choice->verdict == LEVEL_FOUND || moves ? 0 : refuse_choice(ret_choice, refusal);
}

int group_foresee(const struct policy_ceilings *ceilings, struct group_refusal *refusal)
{
	struct found found;
	struct level_choice choice;
	int result = choose(ceilings, &found, &choice, refusal);
	find_release(&found);
	return result;
}

/* The place is ready for cgroups below it: its descriptor, or -1. */
static int take_place(const struct policy_ceilings *ceilings, char *point, struct group_refusal *refusal)
{
	struct found found;
	struct level_choice choice;
	int place = -1, result = choose(ceilings, &found, &choice, refusal);
	if (result == 0 && choice.verdict == LEVEL_OCCUPIED)
		result = evacuate(found.directories[choice.index], refusal);
	if (result == 0)
		result = enable(&found, choice.index, wanted(ceilings), refusal);
	if (result == 0) {
		place = fcntl(found.directories[choice.index], F_DUPFD_CLOEXEC, 0);
		strcpy(point, found.point);
	}
	find_release(&found);
	return place;
}

/* --- the group ------------------------------------------------------------------------------------------- */
static int make_outer(struct group *group)
{
	uint64_t random;
	for (int i = 0; i < ATTEMPTS; i++) {
		if (getrandom(&random, sizeof(random), 0) != sizeof(random))
			return -1;
		snprintf(group->name, sizeof(group->name), "%s%016" PRIx64, stale_prefix, random);
		if (mkdirat(group->place, group->name, 0700) < 0 && errno != EEXIST)
			return -1;
		group->outer = files_enter(group->place, group->name);
		/* Another run may have taken it for one that was left: then it is gone. */
		if (group->outer >= 0 && stale_lock(group->place, group->name, group->outer))
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
	if (files_write(group->outer, "cgroup.subtree_control", levels_order(controllers, order)) < 0 ||
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
	group->place = take_place(ceilings, group->point, refusal);
	if (group->place < 0) {
		group_free(group);
		return -1;
	}
	stale_reap(group->place);
	if (make_outer(group) < 0 || set_ceilings(group, ceilings) < 0 || make_inner(group, wanted(ceilings)) < 0) {
		int sys = errno;
		group_free(group);
		return refuse_system(refusal, "a cgroup with these ceilings cannot be made", sys);
	}
	*ret_group = group;
	return 0;
}

int group_entry(const struct group *group)
{
	return group->entry;
}

const char *group_place(const struct group *group)
{
	return group->point;
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

void group_free(struct group *group)
{
	if (!group)
		return;
	cleanup_fd(&group->entry);
	cleanup_fd(&group->inner);
	if (group->outer >= 0)
		stale_remove(group->place, group->name, group->outer);
	cleanup_fd(&group->outer);
	cleanup_fd(&group->place);
	free(group);
}

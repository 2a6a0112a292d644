/* cgroup/place.c - the caller's cgroup below which those of runs are made: found, made ready, and given back. */
#include "config.h"

#include "cgroup/place.h"

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/text.h"
#include "cgroup/files.h"
#include "cgroup/find.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

enum { MOVING_ROUNDS = 50 };

/* Whoever had to make room is there, for as long as it lives. */
static const char callers[] = "pinfold-callers";

/* --- refusals ---------------------------------------------------------------------------------------- */
static const char *start_delegated(void)
{
	return geteuid() == 0 ?
		"start it in a delegated cgroup: `systemd-run --scope -p Delegate=yes`, with [limits] step-aside = yes" :
		"start it in a delegated cgroup: `systemd-run --user --scope -p Delegate=yes`, with [limits] step-aside = yes";
}

/* A controller has one hierarchy at a time, and a kernel may be without it: then no cgroup of version 2 has it, and
 * nothing that is done with those helps. False where that is not why. */
static bool refuse_machine(uint32_t wanted, struct group_refusal *refusal)
{
	auto_free char *text = NULL;
	size_t bytes;
	char words[64], why[192];
	struct levels_elsewhere elsewhere = { 0 };
	if (fd_read_path("/proc/cgroups", 1 << 16, &text, &bytes) == 0)
		elsewhere = levels_elsewhere(text, wanted);
	if (elsewhere.off) {
		snprintf(why, sizeof(why), "this kernel was started without what controls %s",
			 levels_words(elsewhere.off, words));
		group_refuse(refusal, why, "leave out cgroup_disable= on the kernel's command line");
	} else if (elsewhere.old) {
		snprintf(why, sizeof(why), "cgroups of version 1 have what controls %s here",
			 levels_words(elsewhere.old, words));
		group_refuse(refusal, why, "start Linux with cgroups of version 2 alone: systemd.unified_cgroup_hierarchy=1 on the "
			     "kernel's command line, or cgroup_no_v1=all without systemd");
	}
	return elsewhere.off || elsewhere.old;
}

static int refuse_choice(const struct level_choice *choice, uint32_t wanted, struct group_refusal *refusal)
{
	char words[64], why[192];
	if (choice->verdict == LEVEL_OCCUPIED)
		return group_refuse(refusal, "the caller itself is in its delegated cgroup, whose processes must lie below it",
				    "set [limits] step-aside = yes, by which all processes there are moved into one below");
	if (refuse_machine(wanted, refusal))
		return -1;
	if (choice->verdict == LEVEL_FOREIGN)
		return group_refuse(refusal, "no cgroup that holds the caller was delegated to it", start_delegated());
	snprintf(why, sizeof(why), "the caller's cgroup has no controller for %s", levels_words(choice->lacking, words));
	return group_refuse(refusal, why, start_delegated());
}

/* --- choosing ------------------------------------------------------------------------------------------ */
uint32_t place_wanted(const struct policy_ceilings *ceilings)
{
	uint32_t bits = (ceilings->memory ? LEVEL_MEMORY : 0) | (ceilings->tasks ? LEVEL_TASKS : 0) |
			(ceilings->processors ? LEVEL_PROCESSORS : 0);
	return bits ? bits : LEVEL_MEMORY | LEVEL_TASKS | LEVEL_PROCESSORS;
}

static int weigh(const struct policy_ceilings *ceilings, const struct found *found, struct level_choice *ret_choice,
		 struct group_refusal *refusal)
{
	*ret_choice = levels_choose(found->levels, found->count, geteuid() == 0, place_wanted(ceilings));
	bool moves = ret_choice->verdict == LEVEL_OCCUPIED && ceilings->step_aside;
	if (ret_choice->verdict != LEVEL_FOUND && !moves)
		return refuse_choice(ret_choice, place_wanted(ceilings), refusal);
	if (found->mount.read_only)
		return group_refuse(refusal, "cgroups are mounted read-only here",
				    "mount /sys/fs/cgroup writable: that is an option of whoever starts the container");
	return 0;
}

/* The caller's cgroups are to be released, success or not. */
static int choose(const struct policy_ceilings *ceilings, struct found *ret_found, struct level_choice *ret_choice,
		  struct group_refusal *refusal)
{
	return find_levels(ret_found, refusal) < 0 ? -1 : weigh(ceilings, ret_found, ret_choice, refusal);
}

int place_foresee(const struct policy_ceilings *ceilings, struct group_refusal *refusal)
{
	struct found found;
	struct level_choice choice;
	int result = choose(ceilings, &found, &choice, refusal);
	find_release(&found);
	return result;
}

/* --- moving -------------------------------------------------------------------------------------------- */
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
int place_move_all(int from, int to, const struct list *but)
{
	char text[16384], *rest = NULL;
	for (int round = 0; round < MOVING_ROUNDS; round++) {
		bool met = false;
		if (read_processes(from, text, sizeof(text)) < 0)
			return -1;
		for (char *pid = strtok_r(text, "\n", &rest); pid; pid = strtok_r(NULL, "\n", &rest)) {
			if (but && list_has(but, pid))
				continue;
			if (files_write(to, "cgroup.procs", pid) < 0 && errno != ESRCH)
				return -1;
			met = true;
		}
		if (!met)
			return 0;
	}
	errno = EBUSY;
	return -1;
}

static int list_processes(int directory, struct list *list)
{
	char text[16384], *rest = NULL;
	if (read_processes(directory, text, sizeof(text)) < 0)
		return -1;
	for (char *pid = strtok_r(text, "\n", &rest); pid; pid = strtok_r(NULL, "\n", &rest))
		if (list_add(list, pid) < 0)
			return -1;
	return 0;
}

static int evacuate(struct place *place, struct group_refusal *refusal)
{
	if (mkdirat(place->directory, callers, 0755) < 0 && errno != EEXIST)
		return group_refuse_system(refusal, "the caller cannot be moved into a cgroup below", errno);
	auto_close int below = files_enter(place->directory, callers);
	if (below < 0 || list_processes(below, &place->before) < 0)
		return group_refuse_system(refusal, "the cgroup for callers cannot be looked at", errno);
	place->moved = true;
	if (place_move_all(place->directory, below, NULL) < 0)
		return group_refuse_system(refusal, "a process cannot be moved into a cgroup below", errno);
	return 0;
}

static int enable(struct place *place, uint32_t missing, struct group_refusal *refusal)
{
	char order[32], what[96];
	if (!missing)
		return 0;
	place->enabled = missing;
	if (files_write(place->directory, "cgroup.subtree_control", levels_order(missing, '+', order)) == 0)
		return 0;
	snprintf(what, sizeof(what), "the controllers %s cannot be enabled in the caller's cgroup", order);
	return group_refuse_system(refusal, what, errno);
}

/* Whoever gives it back has it alone meanwhile. */
static int lock(int directory)
{
	int result;
	while ((result = flock(directory, LOCK_SH)) < 0 && errno == EINTR)
		;
	return result;
}

/* What was seen before it was locked may no more be true. */
static int settle_in(const struct policy_ceilings *ceilings, struct found *found, size_t index, struct place *place,
		     struct group_refusal *refusal)
{
	struct level_choice choice;
	place->directory = fcntl(found->directories[index], F_DUPFD_CLOEXEC, 0);
	if (place->directory < 0 || lock(place->directory) < 0)
		return group_refuse_system(refusal, "the caller's delegated cgroup cannot be locked", errno);
	find_look_again(found, index);
	if (weigh(ceilings, found, &choice, refusal) < 0)
		return -1;
	if (choice.index != index)
		return group_refuse(refusal, "the caller's cgroups change just now", "try again");
	if (choice.verdict == LEVEL_OCCUPIED && evacuate(place, refusal) < 0)
		return -1;
	return enable(place, place_wanted(ceilings) & ~found->levels[index].enabled, refusal);
}

int place_take(const struct policy_ceilings *ceilings, struct place *ret_place, struct group_refusal *refusal)
{
	struct found found;
	struct level_choice choice;
	struct place place = PLACE_NONE;
	int result = choose(ceilings, &found, &choice, refusal);
	if (result == 0)
		result = settle_in(ceilings, &found, choice.index, &place, refusal);
	find_release(&found);
	if (result == 0)
		*ret_place = place;
	else
		place_give_back(&place);
	return result;
}

/* --- giving it back ------------------------------------------------------------------------------------ */
/* Where a controller is enabled for what lies below, no process can come back. */
static int disable(const struct place *place)
{
	char order[32];
	return place->enabled == 0 ? 0 :
	       files_write(place->directory, "cgroup.subtree_control", levels_order(place->enabled, '-', order));
}

void place_give_back(struct place *place)
{
	bool changed = place->directory >= 0 && (place->enabled || place->moved);
	if (changed && flock(place->directory, LOCK_EX | LOCK_NB) == 0 && disable(place) == 0 && place->moved) {
		auto_close int below = files_enter(place->directory, callers);
		if (below >= 0 && place_move_all(below, place->directory, &place->before) == 0)
			unlinkat(place->directory, callers, AT_REMOVEDIR);
	}
	place_release(place);
}

void place_release(struct place *place)
{
	cleanup_fd(&place->directory);
	place->directory = -1;
	list_release(&place->before);
}

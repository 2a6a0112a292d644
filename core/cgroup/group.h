/* cgroup/group.h - a cgroup of a run's own, with ceilings on all that is in it.
 *
 * It is two: the outer one has the ceilings, and lies where the caller may make it; the inner one holds the
 * command. So a command that makes a cgroup namespace of its own sees no ceiling in it, and what the outer one
 * has can be taken away by nobody while the inner one uses it.
 *
 * The outer one's directory is locked for as long as its maker lives: whoever gets the lock of another one knows
 * that nobody will remove that any more, and does so.
 */
#ifndef CGROUP_GROUP_H
#define CGROUP_GROUP_H

#include "base/list.h"
#include "policy/policy.h"

#include <stdbool.h>
#include <stdint.h>

struct group;

/* Why there is none, and what would help. */
struct group_refusal {
	char why[512], lift[256];
};
/* Fills it; -1. */
int group_refuse(struct group_refusal *refusal, const char *why, const char *lift);
int group_refuse_system(struct group_refusal *refusal, const char *what, int sys);

/* What was met of a ceiling. */
struct group_hits {
	uint64_t memory;	/* processes that were ended, because memory was at its ceiling */
	uint64_t tasks;		/* times that no task could be made */
	uint64_t out;		/* times that the group itself was out of memory */
};

/* With what the ceilings set; where they set none, one that could have all of them. -1 with the refusal, and
 * nothing is left. */
int group_make(const struct policy_ceilings *ceilings, struct group **ret_group, struct group_refusal *refusal);
/* Would group_make find a place? Nothing is made, and nobody is moved. */
int group_foresee(const struct policy_ceilings *ceilings, struct group_refusal *refusal);
/* Makes one for a moment, and looks whether a process in it is held. */
int group_try(bool step_aside, struct group_refusal *refusal);

/* Whoever writes "0" there is in it: 10 or more, and closed with the group. */
int group_entry(const struct group *group);
/* Where cgroups are mounted: whoever can write at one of these could change or leave a group. 0, or -1 where that
 * cannot be told. */
int group_places(struct list *ret_points);
/* What was met since the group was made, or since this was last called with NULL. */
void group_read(struct group *group, struct group_hits *ret_hits);
/* Ends whatever is still in it, and removes it. NULL does nothing. */
void group_free(struct group *group);
/* The same where no command ran in it: whoever was moved for it goes back. */
void group_abandon(struct group *group);

#endif

/* cgroup/find.h - the caller's cgroups, from its own upward, as they are now. */
#ifndef CGROUP_FIND_H
#define CGROUP_FIND_H

#include "cgroup/group.h"
#include "cgroup/levels.h"
#include "cgroup/mounts.h"

struct found {
	struct level levels[LEVELS_MOST];
	int directories[LEVELS_MOST];
	size_t count;
	struct mounts_best mount;	/* `below` is gone */
};

/* -1 with the refusal. Release it in both cases. */
int find_levels(struct found *ret_found, struct group_refusal *refusal);
/* That level as it is now. */
void find_look_again(struct found *found, size_t index);
void find_release(struct found *found);

#endif

/* cgroup/find.h - the caller's cgroups, from its own upward, as they are now. */
#ifndef CGROUP_FIND_H
#define CGROUP_FIND_H

#include "cgroup/group.h"
#include "cgroup/levels.h"

struct found {
	struct level levels[LEVELS_MOST];
	int directories[LEVELS_MOST];
	size_t count;
	char point[4096];	/* where the hierarchy is mounted */
};

/* -1 with the refusal. Release it in both cases. */
int find_levels(struct found *ret_found, struct group_refusal *refusal);
void find_release(struct found *found);

#endif

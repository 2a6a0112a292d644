/* cgroup/mounts.h - where the file system of cgroups, version 2, is mounted: a machine may have it at several places. */
#ifndef CGROUP_MOUNTS_H
#define CGROUP_MOUNTS_H

#include "base/list.h"

#include <stdbool.h>
#include <stddef.h>

struct mounts_best {
	char point[4096];
	bool read_only;
	const char *below;	/* what of the cgroup that was asked for lies below the point */
};

/* The mount that shows this cgroup, `own` as /proc/self/cgroup has it: one that can be written if there is one, and of
 * those the one that shows most of what lies above. Its directory, or -1. `own` must stay. */
int mounts_open(const char *own, struct mounts_best *ret_best);
/* Every place where any part of it is mounted, hidden ones too. 0, or -1 where that cannot be told. */
int mounts_list(struct list *ret_points);
bool mounts_is_of_kind(int directory);

#endif

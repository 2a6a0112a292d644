/* cgroup/place.h - the caller's cgroup below which those of runs are made: found, made ready, and given back. */
#ifndef CGROUP_PLACE_H
#define CGROUP_PLACE_H

#include "base/list.h"
#include "cgroup/group.h"

struct place {
	int directory;	/* -1: none; locked with others' for as long as it is open */
	uint32_t enabled;	/* controllers that were not, before */
	bool moved;	/* whoever was in it */
	struct list before;	/* who was in the cgroup for callers before: numbers of processes */
};
#define PLACE_NONE { .directory = -1 }

/* Bits by enum level_controller: what the ceilings need, or all where they set none. */
uint32_t place_wanted(const struct policy_ceilings *ceilings);
/* Would there be one? Nothing is changed. */
int place_foresee(const struct policy_ceilings *ceilings, struct group_refusal *refusal);
/* Cgroups can be made below it: whoever was in it has been moved where the ceilings say so, and the controllers are enabled.
 * What fails leaves everything as it was. */
int place_take(const struct policy_ceilings *ceilings, struct place *ret_place, struct group_refusal *refusal);
/* Nothing ran there: whoever was moved goes back, unless somebody else's runs need the place as it is. */
void place_give_back(struct place *place);
void place_release(struct place *place);

/* Moves every process that is in the one cgroup itself into the other, but for those. -1 with errno. */
int place_move_all(int from, int to, const struct list *but);

#endif

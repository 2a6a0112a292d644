/* plugins/landlock/lowering.h - a policy on its way to rules. */
#ifndef LANDLOCK_LOWERING_H
#define LANDLOCK_LOWERING_H

#include "landlock.h"
#include "landlock/around.h"

#define LOWERING_OTHER_ARM "use the arm namespaces"
/* For what becomes the command, for which the arm namespaces is none. */
#define LOWERING_ONLY_READ "let it only read the tree (--set filesystem.tree=readable), or start it by `pinfold run`"

struct lowering {
	const struct pinfold_host *host;
	const struct pinfold_policy *policy;
	const struct pinfold_shown *shown;
	struct state *state;
	struct pinfold_plan *plan;
	struct around_hole *holes;
	size_t hole_count;
	struct pinfold_gap *gaps;
	uint64_t everything;	/* rights on what may be written */
	bool tree_protected;
};

void lowering_gap(struct lowering *low, const struct pinfold_gap *gap);
/* -1 with an error. */
int lowering_fail(const struct lowering *low, const char *path, int sys, struct pinfold_error *err);
int lowering_network(struct lowering *low, struct filter_wants *wants, struct pinfold_error *err);

#endif

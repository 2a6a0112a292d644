/* tree/apply_plan.h - what is to become of each change, and the steps that this takes. */
#ifndef TREE_APPLY_PLAN_H
#define TREE_APPLY_PLAN_H

#include "tree/apply_steps.h"

struct plan_taken {
	const char *path;	/* as the tree has it */
	uint32_t item;
};

struct plan_item {
	struct apply_item *item;
	uint32_t part;
	struct stamp found;	/* of the tree's; `mode` 0: nothing */
	uint32_t waits;		/* an item that must go out of the way first, and 1; 0: none */
};

struct plan {
	const struct apply_order *order;
	struct apply_item *items;	/* by part, in the order of its changes */
	struct plan_item *more;	/* to each of them */
	size_t count;
	size_t *first;		/* of each part, and the count at the end */
	struct plan_taken *taken;	/* of each part from `first` on, sorted by path */
	size_t *taken_count;	/* of each part */
	bool *git;	/* of each part: it is a directory of git's */
	struct steps *steps;	/* only its parts, until they are made */
};

/* Zero but for `order` and `steps`. 0 or -1. */
int plan_begin(struct plan *plan, struct pinfold_error *err);
void plan_release(struct plan *plan);

/* The item that makes what `path` will be, or NULL. */
struct plan_item *plan_find_new(const struct plan *plan, uint32_t part, const char *path);
/* The item that takes away what is at `path` now, or NULL. */
struct plan_item *plan_find_taken(const struct plan *plan, uint32_t part, const char *path);
/* Does the change take what was before out of its place? And does it make something new? */
bool plan_takes(const struct change *change);
bool plan_moves(const struct change *change);

/* What follows the last `.git/` of a path; of a part that is a directory of git's all of it; NULL: it lies in
 * none. */
const char *plan_path_in_git(const struct plan *plan, uint32_t part, const char *path);

enum plan_parent { PLAN_IN_TREE = 0, PLAN_IN_NEW, PLAN_IN_NONE };
/* Where in the tree as it is now what `path` will be, is (`ret_where`, to be freed), or the item of the
 * directory that it comes with. */
enum plan_parent plan_locate(const struct plan *plan, uint32_t part, const char *path, char **ret_where,
			     struct plan_item **ret_parent);

/* apply_check.c: compares each with the tree. 0 or -1. */
int plan_check(struct plan *plan, struct pinfold_error *err);
/* What depends on something that is not applied is not either. 0 or -1. */
int plan_settle(struct plan *plan, struct pinfold_error *err);
/* apply_hold.c: finds the risky ones and holds back those that were not allowed; asks. 0; 1 where the person
 * abandoned it; -1. */
int plan_find_risks(struct plan *plan, struct pinfold_error *err);
int plan_ask(struct plan *plan, struct pinfold_error *err);
/* apply_order.c: what of that which is ready is acted on in this phase, in order. 0 or -1. */
enum plan_phase { PLAN_MAKES_ROOM = 0, PLAN_COMES, PLAN_GOES };
struct plan_order {
	uint32_t *items;	/* numbers; to be freed */
	size_t count;
};
int plan_order(const struct plan *plan, enum plan_phase phase, struct plan_order *ret_order,
	       struct pinfold_error *err);
/* apply_list.c: the steps of everything that is ready. 0 or -1. */
int plan_list_steps(struct plan *plan, struct pinfold_error *err);

#endif

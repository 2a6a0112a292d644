/* tree/collect.h - what is kept for too long, of too many, or of too much is removed.
 *
 * Copies and layers of runs go by age, count and size, and with their tree. Sessions go by age, whatever
 * they have; by count and size only those without changes that are not yet applied, unless all are asked
 * for. What is in use stays, and nothing outside of the scratch root is touched.
 */
#ifndef TREE_COLLECT_H
#define TREE_COLLECT_H

#include "config/config.h"
#include "tree/inventory.h"

enum collect_why {
	COLLECT_STAYS = 0,
	COLLECT_GONE,		/* its tree is no longer there */
	COLLECT_AGE,
	COLLECT_COUNT,
	COLLECT_BYTES,
	COLLECT_KILLED		/* a killed run left it, and it cannot be used */
};

struct collected {
	const struct inventory_item *item;
	enum collect_why why;	/* it is to be removed */
	bool busy;		/* and is not, because it is in use */
	bool removed;
	uint64_t bytes;
};

struct collect_order {
	bool dry_run;		/* nothing is removed */
	bool unapplied;		/* changes that are not applied protect no session */
};

/* What removing left behind. */
struct collect_remain {
	char *path;		/* canonical */
	int why;		/* errno */
};

struct collection {
	char *root;
	struct inventory inventory;
	struct collected *items;	/* all that there is */
	size_t count;
	struct collect_remain *remains;
	size_t remain_count;
};

int collect(const struct config *config, const struct collect_order *order,
	    struct collection *ret_collection, struct pinfold_error *err);
void collect_release(struct collection *collection);

#endif

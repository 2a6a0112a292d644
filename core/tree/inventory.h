/* tree/inventory.h - everything that is kept below the scratch root. */
#ifndef TREE_INVENTORY_H
#define TREE_INVENTORY_H

#include "tree/slot.h"

#include <stddef.h>

struct inventory_item {
	char *tree;		/* canonical path; NULL where that is not known */
	bool gone;		/* there is nothing at that path any more */
	char *session;		/* NULL: of a run without one */
	enum home_kind kind;	/* HOME_KINDS: nothing, or nothing that can be used */
	char place[SLOT_ROOM];	/* below the scratch root */
	int64_t used;		/* when, in nanoseconds */
};

struct inventory {
	struct inventory_item *items;	/* by tree and session */
	size_t count;
};

/* Without locking anything: it may have changed when it is looked at. 0, or -1 with errno. */
int inventory_read(int root, struct inventory *ret_inventory);
void inventory_release(struct inventory *inventory);

#endif

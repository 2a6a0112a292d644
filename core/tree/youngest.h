/* tree/youngest.h - which run of a tree, of those without a session, was the last: the lock of its slot is the
 * youngest. */
#ifndef TREE_YOUNGEST_H
#define TREE_YOUNGEST_H

#include "tree/slot.h"

/* Its place, below the scratch root, and its kind; "" where there is none. */
void youngest_find(int root, const char *tree, char place[SLOT_ROOM], enum home_kind *ret_kind);
/* The slot's run begins now: no lock of another is younger than its own from here on, as one is that was written
 * before the clock was set back. */
void youngest_become(int root, const char *tree, const struct slot *slot);

#endif

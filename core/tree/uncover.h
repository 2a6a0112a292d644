/* tree/uncover.h - a directory of a layer that hides all that is below it comes to lie over it instead. */
#ifndef TREE_UNCOVER_H
#define TREE_UNCOVER_H

#include "tree/index.h"

struct uncover_order {
	int place_fd, held_fd;	/* what the layer lies over; its upper directory */
	const struct index *base;	/* `memory` NULL: none is known */
};

/* For all directories on the way to what `path` names. What one hid is hidden name by name, as far as the
 * base has it; what came below later is seen. The view is the same at each step. 0; 1: the file system has
 * no way to do that, and one still hides what is below; -1 with errno. */
int uncover_parents(const struct uncover_order *order, const char *path);

#endif

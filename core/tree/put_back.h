/* tree/put_back.h - single changes are dropped: what the tree has is put back, all else stays. */
#ifndef TREE_PUT_BACK_H
#define TREE_PUT_BACK_H

#include "tree/changes.h"
#include "tree/kept.h"

/* Of one part, whose base is no longer true afterwards. The changes are of changes_find, perhaps for some
 * paths only. Killed in between, some of them are still there. */
int put_back(struct kept *kept, struct kept_part *part, const struct changes *changes,
	     struct pinfold_error *err);

#endif

/* tree/pending.h - applies that were cut off: found by whoever opens anything of their tree.
 *
 * A mark in the home of the slot says that there may be one; while nobody applies, looking for it is all
 * that this costs.
 */
#ifndef TREE_PENDING_H
#define TREE_PENDING_H

#include "tree/kept.h"

/* Marks what is opened before its journal is written. A descriptor, to be closed when the apply is over; or
 * -1 with errno. */
int pending_begin(const struct kept *kept);
/* Finishes or takes back what was cut off in this tree, whichever slot it was of; what somebody works with
 * at this moment is theirs. */
int pending_recover(const struct config *config, int root, const char *tree, struct pinfold_error *err);

#endif

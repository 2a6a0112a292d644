/* tree/names.h - the names of one directory in the tree, in the index and in the copy. */
#ifndef TREE_NAMES_H
#define TREE_NAMES_H

#include "tree/folder.h"

/* Goes through the sorted names of all three at once and brings each up to date: the worker's drafts
 * are what is to be remembered. 0, or -1 when the sync has failed. */
int names_bring(struct worker *worker, const struct index_entry *old);
/* Keeps the drafts as the folder's entries, with their names in the same piece of memory. */
int names_keep(struct worker *worker);
/* Gives the folders below their names where these will stay. */
void names_give(struct worker *worker);

#endif

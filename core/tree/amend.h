/* tree/amend.h - what is known after a sync, written over what was known before it.
 *
 * Most syncs change a few entries of an index, and to write all of a large one anew takes longer than to bring
 * those up to date. What a kill leaves of the file is sound by chance at most, so this is for a file that is not
 * believed after one.
 */
#ifndef TREE_AMEND_H
#define TREE_AMEND_H

#include "tree/folder.h"

/* With all folders of the sync, those of one level before those of the next. 0; -1: not, because names came or
 * went, or the file cannot be written: what is known must be written anew. */
int amend_write(struct mirror *mirror, struct folder *const *folders, size_t count);

#endif

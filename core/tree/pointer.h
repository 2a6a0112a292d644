/* tree/pointer.h - files of git that say where something lies, for arms in which git would write there.
 *
 * A file `.git`, the `commondir` and `gitdir` of a linked worktree and core.worktree are links by another
 * name: in a copy at another path an absolute one leads to the original. In the copy such a file says
 * where the same thing lies there; what is not copied is nowhere. Borrowed objects are only read, so those
 * that are not in the tree stay where they are.
 */
#ifndef TREE_POINTER_H
#define TREE_POINTER_H

#include "tree/file.h"

/* Puts into `sides` what a file of that name shall say in the copy, where that differs. 0, or -1 when the
 * sync has failed. */
int pointer_follow(struct worker *worker, const char *name, struct sides *sides);
/* The text in a file without a name, at its beginning; -1 with errno. */
int pointer_open_text(const char *text);

#endif

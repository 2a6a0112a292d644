/* tree/home.h - where everything that is kept of one working tree lies.
 *
 * ROOT/t/KEY/ is the home of a tree: `of` is a link whose target is the tree's canonical path, numbers
 * are the slots of runs, and `=NAME` is that of a session.
 */
#ifndef TREE_HOME_H
#define TREE_HOME_H

#include "tree/discard.h"

#include <stdint.h>

/* A tree has a home for each kind of what runs leave; sessions of every kind live in that of copies. */
enum home_kind {
	HOME_COPIES = 0,
	HOME_FOLLOWED,	/* copies in which links out of the tree are replaced by what they lead to */
	HOME_NOTHING,	/* only temporary directories */
	HOME_LAYERS,
	/* Copies that are worked in at their own place, where nothing outside can be written: links into the tree,
	 * and git, lead to copies; other links stay. */
	HOME_MOVED,
	HOME_KINDS
};

enum { HOME_ROOM = 24 };	/* for "t/KEY" */

/* "t/KEY" into `room`. */
void home_name(const char *tree, enum home_kind kind, char *room);
/* Opens what `place` ("t/KEY/SLOT") names below `root`, made where it is missing, the home with its `of`.
 * A descriptor (O_PATH), or -1 with errno. */
int home_open_slot(int root, const char *place, const char *tree);
/* Does the home at `name` ("t/KEY") belong to the tree? Where that is not known yet it is written down.
 * 1 or 0; -1 with errno. */
int home_is_of(int root, const char *name, const char *tree);
/* Removes the homes in which nothing lies. */
void home_tidy(int root);
/* Moves the slot at `place` out of the way. 0, or -1 with errno. */
int home_discard_slot(struct trash *trash, const char *place);

#endif

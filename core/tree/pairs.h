/* tree/pairs.h - what was removed and what was added, brought together where it is the same: renames,
 * and names of one file.
 *
 * Nothing is guessed: what was renamed has the inode that the base knows it by, or the same content.
 */
#ifndef TREE_PAIRS_H
#define TREE_PAIRS_H

#include "tree/inside.h"
#include "tree/survey.h"

/* The directories that were looked at last, with a slash after each; what moves, moves in company. */
struct pairs_way {
	char *from, *to;
	bool apart;
};

/* The changes while they are brought together: sorted so that what lies in a directory follows it. */
struct pairs {
	struct surveyor *surveyor;	/* one that is free */
	const struct changes_order *order;
	struct change *items;
	size_t count;
	bool *told;		/* of each: it is part of another and is not told itself */
	struct pairs_way way;
};

/* Rewrites the changes of a search that is over. 0, or -1 when it has failed. */
int pairs_find(struct surveyor *surveyor);

/* moves.c: directories of which all was renamed alike, and what simply moved with a directory. */
int moves_find(struct pairs *pairs);
/* twins.c: names of one file. */
int twins_find(struct pairs *pairs);

/* mounts.c: does no rename lead from the one to the other in the tree, since a mount lies between? */
bool mounts_part(struct pairs *pairs, const char *from, const char *to);

/* An added one is what a removed one was: unless they are parted by a mount. */
int pairs_join(struct pairs *pairs, size_t added, size_t removed);
/* Opens the directory in which a path lies. -1 with errno. */
int pairs_open_parent(int root, const char *path, enum inside_reach reach);
/* The part after the last slash. */
const char *pairs_last_name(const char *path);
/* As strcmp, but a slash comes before all. */
int pairs_compare_paths(const char *a, const char *b);

#endif

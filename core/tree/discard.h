/* tree/discard.h - removing what a command left, whatever it is and whoever is still moving it.
 *
 * A directory is first renamed into a trash directory beside the copies, so that its place is free at
 * once; emptying the trash later moves each directory met to the trash's top, so that no depth, no
 * link and no rename can lead it elsewhere. Mounts are not entered. Marks that forbid changes (chattr +i)
 * are taken away where the caller may.
 */
#ifndef TREE_DISCARD_H
#define TREE_DISCARD_H

#include <stdatomic.h>

struct trash {
	int root;		/* the scratch root, not owned */
	_Atomic unsigned next;	/* number of the next name */
	_Atomic int used;	/* something was put there */
};

/* Removes `name` below `dir`. What is not there is removed. 0, or -1 with errno. */
int discard_entry(struct trash *trash, int dir, const char *name);
/* Moves the directory `name` below `dir` out of the way. 0, or -1 with errno. */
int discard_directory(struct trash *trash, int dir, const char *name);
/* Removes everything that lies in the trash, as far as that is possible. */
void discard_empty(struct trash *trash);
/* What could not be removed: tells of each its path below the scratch root, and errno. */
void discard_remains(struct trash *trash, void (*tell)(void *context, const char *path, int why),
		     void *context);

#endif

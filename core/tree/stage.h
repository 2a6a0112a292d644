/* tree/stage.h - where an entry of the copy is made before it has its name there.
 *
 * The first copy is made in place: it is not used before it is whole. A copy in which a command's changes
 * are kept is never removed, so whatever ends a sync must leave each entry either as it was or as it shall
 * be: there it is made in a directory beside the copy and renamed into its place.
 */
#ifndef TREE_STAGE_H
#define TREE_STAGE_H

#include "tree/file.h"

struct stage {
	int dir;
	const char *name;
};

/* A place that is free for `name` of the worker's folder. 0, or -1 with errno. */
int stage_open(struct worker *worker, const char *name, const struct sides *sides,
	       struct stage *ret_stage);
/* What was made there gets its name, in place of what is there. 0, or -1 with errno: EEXIST where
 * something is there that was not found before. */
int stage_put(struct worker *worker, const char *name, const struct sides *sides);

/* Writes a staged file through before it gets its name: after a loss of power a name without its content would be
 * taken for what a command made. Of many files, the last come to the disk with stage_flush. */
int stage_write_through(struct worker *worker, int file);
/* What the index is about to tell of is on the disk. */
int stage_flush(struct mirror *mirror);
/* Removes what an earlier sync left. 0, or -1 with errno. */
int stage_start(struct mirror *mirror);
void stage_leave(struct worker *worker);
void stage_stop(struct mirror *mirror);

#endif

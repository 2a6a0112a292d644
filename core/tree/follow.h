/* tree/follow.h - links that leave the tree, for arms in which a link would let a write through.
 *
 * Such a link is replaced by what it leads to. One that leads back into the tree leads into the copy;
 * one that leads nowhere leads nowhere in the copy too, also when its target is made later.
 */
#ifndef TREE_FOLLOW_H
#define TREE_FOLLOW_H

#include "policy/policy.h"
#include "tree/file.h"

/* A directory outside that stands in the copy for a link. */
struct follow_base {
	struct follow_base *next;	/* all of a sync */
	const struct follow_base *outer;	/* where the link was; NULL: in the tree */
	int fd;
	uint64_t device, inode;
	bool holds_hidden;
	char *path;		/* canonical */
};

enum follow_way {
	FOLLOW_AS_IT_IS = 0,
	FOLLOW_REWRITTEN,	/* sides->target */
	FOLLOW_REPLACED,	/* by the file sides->origin, or the folder sides->base */
	FOLLOW_LEFT_OUT		/* a device, a FIFO, a loop */
};

/* Where does the link `name` of the worker's folder lead? Changes `sides` to what will stand in the
 * copy. enum follow_way, or -1 when the sync has failed. */
int follow_link(struct worker *worker, const char *name, struct sides *sides);
/* Refuses an entry of a directory outside that is hidden. 0 or -1. */
int follow_check(struct worker *worker, const char *name);
void follow_release(struct mirror *mirror);
/* The policy that says what is hidden. The caller frees it. */
int follow_policy(const struct mirror_order *order, struct policy **ret_policy, struct pinfold_error *err);

/* Text alone: does `target`, read in the worker's folder, climb out of the tree (or out of the directory that
 * stands for a link)? An absolute one does. */
bool follow_leaves(const struct worker *worker, const char *target);
/* Where an absolute or a leaving path leads in the copy: to the same place there, where that is copied; else
 * to nowhere. The caller frees it; NULL without memory. */
char *follow_in_copy(const struct worker *worker, const char *path, bool *ret_copied);

#endif

/* tree/merge.h - a sync that keeps what the command changed in the copy.
 *
 * One entry at a time. What the copy has is the command's where it differs from what the index says was
 * put there; then it stays, and the index keeps what it said of the tree (the base), marked with
 * index_mark_changed. Where tree and copy have the same content they are in step again, whoever changed
 * what. All else follows the tree. In particular:
 *
 * - A directory that the command removed or replaced stays so as a whole, whatever the tree does below.
 * - One that the tree removed or replaced goes where the command changed nothing in it; else what the
 *   command changed stays, and what it did not change goes.
 * - A name that both made with different contents stays the command's, and is not in the index: the tree's
 *   is not in the copy.
 * - A mode that the command changed stays while the content follows the tree only where the command left
 *   that alone and the tree's is the same.
 * - A file of the copy that may have further names is never changed in place, but replaced.
 */
#ifndef TREE_MERGE_H
#define TREE_MERGE_H

#include "tree/file.h"

/* What an entry means to the sync: beside 1 (it is in `ret_entry`), 0 (it is not to be remembered) and
 * -1 (the sync has failed): */
enum { MERGE_FOLLOW = 2 };

/* The tree has something of that name, `sides->source`, which would be skipped where `skipped`. */
int merge_keep(struct worker *worker, const char *name, struct sides *sides, bool skipped,
	       struct index_entry *ret_entry);
/* The tree has nothing of that name (any more). Never MERGE_FOLLOW. */
int merge_gone(struct worker *worker, const char *name, const struct index_entry *old, bool present,
	       struct index_entry *ret_entry);

/* merge_content.c: what is in the copy was changed, or may have been, and is of the tree's kind. */
int merge_file(struct worker *worker, const char *name, struct sides *sides,
	       struct index_entry *ret_entry);
int merge_link(struct worker *worker, const char *name, struct sides *sides,
	       struct index_entry *ret_entry);
/* Is what the copy has still what was put there, in spite of its times? 1 only where that is certain; 0; -1
 * when the sync has failed. */
int merge_is_base(struct worker *worker, const char *name, const struct index_entry *old,
		   const struct stamp *copy);
/* The command's stays, if it is the command's. */
int merge_stays_unless_base(struct worker *worker, const char *name, struct sides *sides,
			    struct index_entry *ret_entry);
/* The command's stays. `sides->old` may be NULL. 0 or 1. */
int merge_stays(struct worker *worker, const char *name, struct sides *sides,
		struct index_entry *ret_entry);

/* merge_folder.c: what stays of a folder of the index. 1 or -1. */
int merge_retain(struct worker *worker, const struct index_entry *old);	/* all: the command's is another */
int merge_hollow(struct worker *worker, const struct index_entry *old, const struct sides *sides);	/* what the command changed */
void merge_empty(struct mirror *mirror, struct folder *folder);	/* `folder` is one of these */
/* Has the command changed nothing in this directory of the copy? */
bool merge_folder_is_untouched(struct worker *worker, const char *name,
			       const struct index_entry *old);
/* Gives the copy's directory what the tree's has, but for what the command changed; `ours`: the command
 * changed nothing in it. 0, or -1 with errno. */
int merge_put_right(struct worker *worker, const struct index_entry *old, bool ours);
/* Removes the directories in which nothing stayed, when all folders are done. 0, or -1 with errno. */
int merge_settle(struct mirror *mirror);

#endif

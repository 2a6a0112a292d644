/* tree/mirror.h - making a copy equal to its tree. */
#ifndef TREE_MIRROR_H
#define TREE_MIRROR_H

#include "config/config.h"
#include "tree/discard.h"
#include "tree/hidden.h"
#include "tree/index.h"

#include <pinfold/error.h>

enum { MIRROR_NAMES = 16 };	/* skipped entries that are named */

/* A directory outside of the tree that is copied as well, by a sync of its own. */
struct mirror_beside {
	const char *path, *copy;
};

struct mirror_order {
	const char *tree;	/* for messages */
	const char *scratch;	/* likewise */
	const char *copy;	/* path of the copy's directory */
	const struct config *config;	/* for what is hidden, where links are followed */
	bool follow_out;	/* links that leave the tree are replaced by what they lead to */
	bool follow_own;	/* those into the tree lead to the copy, and git finds copies of its directories */
	const struct mirror_beside *beside;	/* where git finds its directories; with `follow_own` */
	size_t beside_count;
	struct hidden hidden;	/* left out, with what is below */
	int tree_fd, copy_fd;
	int slot_fd;		/* where the index is written */
	struct trash *trash;
	const struct index *old;	/* NULL: nothing is known */
	/* The file of the slot that it was read from, where a kill leaves none that is believed: it may be
	 * written over (tree/amend.h). NULL: not. */
	const char *old_name;
	struct stamp scratch_root;	/* not to be copied into itself */
	uint64_t most_files, most_bytes;
	uint32_t most_depth;
	unsigned threads;	/* 0: as many as are of use */
	unsigned processors;
	/* What the command changed in the copy stays (tree/merge.h). Then every step leaves each entry as it
	 * was or as it shall be: after a sync that failed or was killed the copy can be synced again with the
	 * same index, unless there was none. `old` NULL: the copy is new and empty. */
	bool keep_changes;
	/* The copy is as the last sync left it, and is looked at only where the tree changed; with `old`, and not with
	 * `keep_changes` or `follow_out`. */
	bool untouched;
	/* Called by the calling thread, about ten times a second, and at the beginning of a first copy: what
	 * was copied so far. Nonzero gives up: the sync fails with ECANCELED. NULL: not. */
	int (*copying)(void *context, uint64_t files, uint64_t bytes);
	void *context;
};

struct mirror_work {
	uint64_t walked, created, rewritten, removed, bytes, skipped;
	uint64_t cloned, ranged, plain;	/* bytes, as in struct pinfold_work */
	char *skipped_names[MIRROR_NAMES + 1];	/* the caller's to free */
};

/* On success, what is known is in the file `index_name` of the slot, where it changed. On failure
 * the copy is in no state to be used, but see `keep_changes`. */
int mirror_sync(const struct mirror_order *order, const char *index_name,
		struct mirror_work *ret_work, struct pinfold_error *err);
void mirror_work_release(struct mirror_work *work);

#endif

/* tree/kept.h - what the last run in a tree, or a session, has left: opened to be looked at and changed.
 *
 * While it is open it is locked, so that no command works in it. It has one part for the working tree,
 * the first, and one for each place elsewhere that a layer lies over.
 */
#ifndef TREE_KEPT_H
#define TREE_KEPT_H

#include "config/config.h"
#include "tree/index.h"
#include "tree/slot.h"

struct kept_part {
	char *path;		/* canonical, of the host: what the changes are to */
	bool layer;		/* an overlay's upper directory; else a copy of all of `path` */
	int place_fd;		/* `path` (O_PATH); -1 where that is no longer a directory */
	int held_fd;		/* the copy, or the upper directory (O_PATH) */
	int slot_fd;		/* where the base, and the journal of an apply, lie (O_PATH) */
	bool belongs;		/* not of the tree, but a git directory that says of itself that it is the tree's */
	struct index base;	/* the file `index` there: what both were when last equal; zero where nothing is known */
};

struct kept {
	char *tree;
	char *session;		/* NULL: the last run */
	struct kept_part *parts;
	size_t count;
	bool follow_out;	/* links out of the tree were followed when it was copied */
	bool finished;		/* a discard that was cut off: what it dropped may have no name any more */
	const struct config *config;
	/* Its own: */
	char *root;
	int root_fd;
	struct trash trash;
	struct slot slot;
};

/* Of the tree at that canonical path; `session` NULL: what its last run without one left. Where a run was
 * killed, its bookkeeping is finished first, and so is an apply that was, whichever slot of the tree it was
 * of. PINFOLD_E_SESSION where nothing is kept, PINFOLD_E_BUSY while a command works in it. The configuration
 * must stay. */
int kept_open(const struct config *config, const char *tree, const char *session,
	      struct kept **ret_kept, struct pinfold_error *err);
/* The same without a look at what else was cut off in this tree. */
int kept_open_alone(const struct config *config, const char *tree, const char *session,
		    struct kept **ret_kept, struct pinfold_error *err);
void kept_close(struct kept *kept);
/* Brings the copy up to date, but for what was changed in it. What was known of it is forgotten: no base. */
int kept_sync(struct kept *kept, struct pinfold_error *err);
/* How many changes there are, in all parts. */
int kept_count(const struct kept *kept, uint64_t *ret_count, struct pinfold_error *err);

/* Drops all of what that session, or the last run, changed, whatever state a kill has left it in: the
 * session goes, a copy is made equal to the tree. Errors as of kept_open. */
int kept_discard(const struct config *config, const char *tree, const char *session,
		 struct pinfold_error *err);

#endif

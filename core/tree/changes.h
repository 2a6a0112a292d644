/* tree/changes.h - what a command changed: how a copy or a layer differs from its base.
 *
 * Names are of two kinds. The old ones (`from`, and `path` of what was removed) are those of the tree as
 * it was; the new ones are those that it will have. A change that the tree has in the same state
 * meanwhile, or that changed times only, is none.
 */
#ifndef TREE_CHANGES_H
#define TREE_CHANGES_H

#include "base/arena.h"
#include "tree/index.h"

#include <pinfold/error.h>

enum change_kind {
	CHANGE_ADDED = 0,
	CHANGE_REMOVED,
	CHANGE_MODIFIED,	/* `what` says in which respects */
	CHANGE_RETYPED,		/* something of another kind is there */
	CHANGE_RENAMED,		/* `from` is its old name; changed as well in the respects of `what` */
	CHANGE_KINDS
};

enum change_what {
	CHANGED_CONTENT = 1,
	CHANGED_MODE = 2,
	CHANGED_ATTRIBUTES = 4,	/* extended ones of the user */
	CHANGED_TARGET = 8	/* of a link */
};

enum { CHANGE_NOTHING = INDEX_KINDS };	/* kind of a side on which nothing is */

struct change_side {
	uint8_t kind;		/* enum index_kind, or CHANGE_NOTHING; INDEX_SKIPPED cannot be applied */
	uint8_t flags;		/* before: enum index_flag; INDEX_FOLLOWED also where nothing was */
	bool unsure;		/* before: the tree changed while the command ran, so this may be wrong; or
				 * nothing tells it from a later state */
	bool young;		/* before: its times do not tell it from a later state, its digest does */
	uint64_t identity;	/* stamp_identity of the tree's, or of the copy's or layer's entry */
	uint64_t digest;	/* 0: not known */
	struct stamp stamp;	/* before: mtime, ctime, size and mode; for the rest see `identity` */
};

struct change {
	const char *path;	/* relative; "" is the top directory itself */
	/* Its name in the tree where that is another one: because it was renamed, or because a directory
	 * above was. Else NULL. */
	const char *from;
	/* Another name of the same file, which is as in the tree or comes earlier in the list. Else NULL. */
	const char *linked;
	uint8_t kind, what;
	struct change_side before, after;
};

/* Sorted by the bytes of their paths, so a directory comes before what lies in it. All that was added or
 * removed is in it, whatever lies in a directory likewise; of a renamed directory only what did not
 * simply move with it. */
struct changes {
	struct change *items;
	size_t count;
	struct arena *texts;
	uint64_t walked;
};

struct changes_order {
	const char *place;	/* the tree's path, for messages */
	int place_fd, held_fd;	/* the tree; the copy or the layer's upper directory */
	bool layer;
	const struct index *base;	/* `memory` NULL: nothing was there */
	const char *const *paths;	/* only these and what is below; NULL-terminated; NULL or none: all */
	unsigned processors;
};

/* A rename of which only one name is among the paths is an addition or a removal. */
int changes_find(const struct changes_order *order, struct changes *ret_changes,
		 struct pinfold_error *err);
void changes_release(struct changes *changes);

/* "added" … */
const char *change_kind_name(uint8_t kind);
/* The bits of a mode that decide whom a file runs as, and the sticky one: an apply leaves them as they are. */
enum { CHANGE_PRIVILEGES = 07000 };
/* Those that the command set, and that do not come into the tree with what it made or changed. */
static inline uint32_t change_privileges(const struct change *change)
{
	bool moved_only = change->kind == CHANGE_RENAMED && !change->what;
	if (change->kind == CHANGE_REMOVED || moved_only)
		return 0;
	return change->after.stamp.mode & ~change->before.stamp.mode & (S_ISUID | S_ISGID);
}

/* Its name in the tree. */
static inline const char *change_old_path(const struct change *change)
{
	return change->from ? change->from : change->path;
}

/* Do times, size, mode and place say that this is what was there before? Not certain for what is
 * `young`; never for what is `unsure`. */
bool change_is_base(const struct change_side *before, const struct stamp *now);

/* The content before, of a file: the tree's, while that is still it. A descriptor open for reading, or -1
 * with errno, ESTALE where the tree has changed. */
int change_open_before(int place_fd, const struct change *change);
/* The content after, of a file, also where its or a directory's mode forbids reading. -1 with errno. */
int change_open_after(int held_fd, const struct change *change);

#endif

/* tree/apply.h - bringing changes of a copy or of layers into the tree.
 *
 * All of an apply happens or none of it: new content is written aside in a private directory of the same
 * file system, a journal says what will be done, then names are exchanged one by one. What comes out of
 * an exchange is looked at before it is given up; if it is not what the command started from, all is
 * exchanged back. Whoever opens what an apply was killed in the middle of calls apply_recover first.
 * Nothing here follows a link or leaves the tree. One thread at a time for one journal.
 */
#ifndef TREE_APPLY_H
#define TREE_APPLY_H

#include "tree/changes.h"

/* What is to become, or became, of one change. */
enum apply_state {
	APPLY_READY = 0,	/* can be applied; after a run: was */
	APPLY_SAME,		/* the tree has it already */
	/* Conflicts. */
	APPLY_CHANGED,		/* the tree's was changed meanwhile */
	APPLY_REMOVED,		/* the tree's was removed meanwhile */
	APPLY_TAKEN,		/* something else is there now */
	APPLY_UNSURE,		/* it cannot be known what the command started from */
	APPLY_FULL,		/* the directory has something in it that is to stay */
	APPLY_NO_DIRECTORY,	/* the directory that it belongs into is not there, or is a link now */
	APPLY_FOREIGN,		/* the tree's belongs to somebody else, and the new one would not */
	APPLY_BLOCKED,		/* what it depends on is not applied */
	/* Held back until it is asked for by name. */
	APPLY_RISKY,
	/* Not asked for. */
	APPLY_DECLINED,
	/* Never applied. */
	APPLY_SPECIAL,		/* a device, a FIFO, a socket */
	APPLY_LOCK,		/* a lock of git's */
	APPLY_RESERVED,		/* a name that only pinfold itself gives */
	APPLY_FOLLOWED,		/* it stands in the copy for what a link leads to */
	APPLY_SET_ID,		/* only a set-user-ID or set-group-ID bit, or a sticky one, was set or taken */
	APPLY_STATES
};

static inline bool apply_is_never(uint8_t state)
{
	return state > APPLY_DECLINED;
}

static inline bool apply_is_conflict(uint8_t state)
{
	return state >= APPLY_CHANGED && state <= APPLY_BLOCKED;
}

struct apply_part {
	const char *path;	/* canonical, of the tree or of what a layer lies over */
	int place_fd, held_fd;
	int slot_fd;	/* where its base is, for a layer: what is applied goes from it too */
	bool layer;
	bool elsewhere;	/* it is not the working tree */
	bool belongs;	/* `elsewhere`: a git directory that says of itself that it is the tree's */
	const struct changes *changes;	/* not looked at by apply_recover */
};

struct apply_item {
	const struct change *change;
	const struct apply_part *part;
	const char *risk;	/* why it is risky; NULL: it is not */
	uint8_t state;
	uint32_t further;	/* while it is asked for: so many more of git's objects that the answer is for */
};

enum apply_answer { APPLY_NO = 0, APPLY_YES, APPLY_YES_TO_ALL, APPLY_NO_TO_ALL, APPLY_ABANDON };

struct apply_order {
	const struct apply_part *parts;
	size_t count;
	int slot_fd;		/* where the journal is kept */
	const char *const *named;	/* paths that were named, relative to the tree or absolute */
	const struct list *risky;	/* further patterns of risky places */
	bool limited;		/* the changes are not all that there are */
	bool partial;		/* what is in no conflict is applied, the rest is left */
	bool allow_risky;
	bool dry_run;		/* nothing is written, and nothing waited for */
	/* Asks for one item, the risky ones first; enum apply_answer, or -1 with the error filled. A yes to
	 * all does not reach further risky ones. NULL: nobody is asked. */
	int (*ask)(void *context, const struct apply_item *item, struct pinfold_error *err);
	void *context;
};

struct apply_result {
	struct apply_item *items;	/* the risky ones first, else in the order of the changes */
	size_t count;
	size_t applied, conflicts, risky, declined, never;
	bool done;	/* false: it was refused, abandoned or only tried, and nothing was written */
};

/* 0, also where it was refused (see `done`); -1 where a call failed, and the tree is as it was unless the
 * error says otherwise. The result is to be released after 0. */
int apply_run(const struct apply_order *order, struct apply_result *ret_result,
	      struct pinfold_error *err);
void apply_result_release(struct apply_result *result);

/* "it was changed in the tree meanwhile" … for a person. */
const char *apply_state_text(uint8_t state);
/* "ready", "changed" … for programs. */
const char *apply_state_name(uint8_t state);

/* Was an apply of this slot cut off? */
bool apply_is_pending(int slot_fd);
/* Takes back, or brings to its end, what was. Nothing where nothing was; may be cut off itself. */
int apply_recover(const struct apply_part *parts, size_t count, int slot_fd,
		  struct pinfold_error *err);

#endif

/* tree/slot.h - the place of what one run, or the runs of one session, change: its lock and its name.
 *
 * A slot holds `lock`, `tmp/`, and either `tree/` (a copy) or `upper/` and `work/` (a layer); `layers/`
 * where there are layers over other places. Who works with a slot holds its lock. The lock file's time
 * is that of the slot's last run, and in a session its size is a phase: how far that run had come.
 *
 * A copy at rest has an `index`; while somebody works with it that is called `held`. A copy of no session
 * without lock and `index` was left by a run that was killed, and is removed, unless it has a `dropping`; a
 * session's is used again.
 * Slots with a number below the configured count are kept.
 */
#ifndef TREE_SLOT_H
#define TREE_SLOT_H

#include "tree/discard.h"
#include "tree/home.h"

#include <pinfold/error.h>
#include <stdbool.h>
#include <stdint.h>

#define SLOT_INDEX "index"
#define SLOT_INDEX_HELD "held"
#define SLOT_INDEX_NEXT "next"
#define SLOT_DROPPING "dropping"	/* some of its changes are being put back (tree/put_back.h) */

enum { SESSION_NAME_MOST = 64, SLOT_ROOM = HOME_ROOM + SESSION_NAME_MOST + 2 };

/* Of a session. */
enum slot_phase {
	SLOT_AT_REST = 0,
	SLOT_SYNCING,	/* the copy is being brought up to date: what is younger is not the command's */
	SLOT_RUNNING	/* a command may be running */
};

struct slot {
	char place[SLOT_ROOM];	/* below the scratch root */
	unsigned number;
	bool session;
	enum home_kind kind;
	int dir, lock;
	int tree;		/* the copy's directory or the layer's upper one, open */
	bool fresh;		/* it is new and empty */
	bool untouched;		/* the last command could change nothing in it (tree/untouched.h) */
	/* How an earlier run left it, and since when: */
	enum slot_phase left;
	int64_t left_at;
};
#define SLOT_NONE { .dir = -1, .lock = -1, .tree = -1 }

/* What is wanted. */
struct slot_order {
	const char *tree;	/* canonical path */
	enum home_kind kind;
	const char *session;	/* NULL for none */
};

/* Letters, digits, dot, underscore and dash; no dot first; at most SESSION_NAME_MOST. */
bool slot_session_is_name(const char *name);
/* Says so: -1. */
int slot_refuse_name(const char *name, struct pinfold_error *err);

/* Takes the first slot of this kind that nobody holds, or makes one; of a session that session's. */
int slot_take(struct trash *trash, const struct slot_order *order, struct slot *ret_slot,
	      struct pinfold_error *err);
/* The session's name; NULL for none. */
const char *slot_session(const struct slot *slot);
/* Opens and locks the slot at `place` as it is; its tree is not opened. 1; 0 where somebody holds it; -1
 * with errno (ENOENT: there is none). */
int slot_open(int root, const char *place, struct slot *ret_slot);
/* Moves what is no directory, and so no slot, out of the place of one. Whether there was such a thing. */
bool slot_clear(struct trash *trash, const char *place);
/* A session comes to another phase, now. 0, or -1 with errno. */
int slot_enter(struct slot *slot, enum slot_phase phase);
/* When it came to its phase; of a slot of no session, when its last run began. */
int64_t slot_time(const struct slot *slot);
/* A copy comes to rest: its index gets its name. 0, or -1 with errno. */
int slot_rest(struct slot *slot);
/* Gives it back: at rest, with nothing in its temporary directory, when `keep`; else removed. `tree` is
 * its tree's path. */
void slot_leave(struct slot *slot, struct trash *trash, const char *tree, bool keep);
/* Gives it back as it is. */
void slot_let_go(struct slot *slot);

#endif

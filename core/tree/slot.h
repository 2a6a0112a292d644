/* tree/slot.h - the place of one copy: its lock, its directories, its index.
 *
 * ROOT/t/KEY/N/ holds `lock`, `tree/`, `tmp/` and, while the copy is at rest, `index`. Who works with
 * a copy holds its lock and calls the index `held`: a copy without lock and index was left by a run
 * that was killed, and is removed. Copies with a number below the configured count are kept.
 */
#ifndef TREE_SLOT_H
#define TREE_SLOT_H

#include "tree/discard.h"

#include <pinfold/error.h>
#include <stdbool.h>
#include <stdint.h>

#define SLOT_INDEX_HELD "held"
#define SLOT_INDEX_NEXT "next"

struct slot {
	char place[64];		/* below the scratch root */
	unsigned number;
	int dir, lock;
	int tree;		/* the copy's directory, open */
	bool fresh;		/* the copy is new and empty */
};

/* Takes the first copy for `key` that nobody holds, or makes one. */
int slot_take(struct trash *trash, uint64_t key, const char *tree, struct slot *ret_slot,
	      struct pinfold_error *err);
/* Gives it back: at rest, with nothing in its temporary directory, when `keep`; else removed. `tree` is
 * what slot_take was given. */
void slot_leave(struct slot *slot, struct trash *trash, const char *tree, bool keep);

#endif

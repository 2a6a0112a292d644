/* tree/layer.h - the upper directory of an overlay: the kernel's marks in it, and the base of what is
 * touched in it.
 *
 * The base is an index of the entries that the layer touches and their parents only; of what was removed
 * it has all that lay below. An entry that was not below is in it as INDEX_ABSENT; one that changed below
 * while the command ran is INDEX_UNSURE.
 */
#ifndef TREE_LAYER_H
#define TREE_LAYER_H

#include "tree/index.h"

#include <pinfold/error.h>

/* Does `name` of a layer's directory say that what is below was removed? */
bool layer_is_whiteout(int dir, const char *name, const struct stamp *stamp);
/* Does the directory `name` hide all that is below it, and not only lie over it? */
bool layer_is_opaque(int dir, const char *name);
/* Makes it do so as `like` of `parent` does; or lie over it. 0, or -1 with errno. */
int layer_close(int dir, const char *name, int parent, const char *like);
int layer_open_up(int dir, const char *name);
/* Says in `dir` that what is below under `name` was removed. 0, or -1 with errno. */
int layer_add_whiteout(int dir, const char *name);
/* Did `name` come from below? */
bool layer_has_origin(int dir, const char *name);

struct layer_order {
	const char *place;	/* what it lies over, for messages */
	int place_fd, held_fd;	/* what it lies over; the upper directory */
	int slot_fd;		/* where the index is written */
	const struct index *old;	/* the base so far; `memory` NULL or NULL: none */
	int64_t began;		/* when the run began, by the kernel's clock of stamps */
	bool idle;		/* none ran since the base so far: of what that lacks nothing was below */
};

/* Writes the base to the file `index_name` of the slot. What the base had stays as it was there, as far
 * as the layer still touches it. */
int layer_settle(const struct layer_order *order, const char *index_name, struct pinfold_error *err);

#endif

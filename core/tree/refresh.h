/* tree/refresh.h - a slot's copy is brought up to date; what layers touched is written down. */
#ifndef TREE_REFRESH_H
#define TREE_REFRESH_H

#include "config/config.h"
#include "tree/mirror.h"
#include "tree/slot.h"

#include <pinfold/view.h>

struct refresh_order {
	const struct config *config;
	const struct pinfold_budget *budget;	/* NULL: the configured one */
	const char *tree, *root;	/* canonical paths: of the tree, of the scratch root */
	const char *copy;	/* path of the copy's directory */
	int tree_fd;
	struct trash *trash;
	struct slot *slot;	/* locked, with its tree open */
	struct hidden hidden;	/* what is left out of it */
	int (*copying)(void *context, uint64_t files, uint64_t bytes);	/* as in mirror_order */
	void *context;
	bool keep_changes;	/* what was changed in the copy stays: always so in a session */
};

/* Makes the copy equal to the tree, but for what stays. On failure the copy is in no
 * state to be used; that of a session can be brought up to date again. */
int refresh_copy(const struct refresh_order *order, struct mirror_work *ret_work,
		 struct pinfold_error *err);
/* How many processors are of use. */
unsigned refresh_processors(void);
/* Writes the bases of what the slot's layers touched in a run that began at that time. What is no longer
 * there is left as it is. */
int refresh_layers(const struct slot *slot, const char *tree, int64_t began, struct pinfold_error *err);

#endif

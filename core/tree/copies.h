/* tree/copies.h - kept copies of working trees below a private scratch root.
 *
 * The table `copies_trees` is handed to views through the host. A copy is locked while it is open:
 * two runs in one tree at once get two copies; one that a killed run left is reaped by the next.
 */
#ifndef TREE_COPIES_H
#define TREE_COPIES_H

#include "config/config.h"

#include <pinfold/view.h>

extern const struct pinfold_trees copies_trees;

/* A copy into which nothing is ever copied: its temporary directory is what is wanted of it. To be
 * closed with PINFOLD_COPY_RETIRE. */
int copies_place(const struct pinfold_host *host, const char *tree, struct pinfold_copy **ret_copy,
		 struct pinfold_error *err);

/* The scratch root: made 0700 where it is missing, owned by the caller, and none of its parents
 * writable by others. Canonical; the caller frees it. -1 says what was wrong and how to name another
 * ([filesystem] scratch). */
int scratch_root(const struct config *config, char **ret_path, struct pinfold_error *err);

#endif

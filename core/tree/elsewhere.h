/* tree/elsewhere.h - layers over other places than the tree, whose changes are kept.
 *
 * In a slot's `layers/`, numbered directories hold `of`, a link whose target is the canonical path that
 * the layer lies over, beside `upper/` and `work/`.
 */
#ifndef TREE_ELSEWHERE_H
#define TREE_ELSEWHERE_H

#include <pinfold/view.h>

enum { ELSEWHERE_NAME = 16 };

/* The number of what is kept for `path` below the directory `layers`, begun where there is none yet, and its
 * directory: a descriptor (O_PATH), or -1 with errno. */
int elsewhere_open(const char *layers, const char *path, char ret_name[ELSEWHERE_NAME]);
/* `layer` of pinfold_trees. */
int elsewhere_find(const struct pinfold_host *host, const char *layers, const char *path,
		   struct pinfold_layer *ret_layer, struct pinfold_error *err);
/* What the layer in `layers_fd` with that number lies over; the caller frees it. NULL with errno, ENOENT
 * past the last. */
char *elsewhere_path(int layers_fd, unsigned number);

#endif

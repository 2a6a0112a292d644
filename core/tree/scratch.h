/* tree/scratch.h - the private directory below which all copies lie. */
#ifndef TREE_SCRATCH_H
#define TREE_SCRATCH_H

#include "tree/copies.h"

/* As scratch_root, and the directory open (O_PATH). */
int scratch_open(const struct config *config, char **ret_path, int *ret_fd,
		 struct pinfold_error *err);

#endif

/* tree/contents.h - what lies in a slot: a copy or a layer, and a temporary directory. */
#ifndef TREE_CONTENTS_H
#define TREE_CONTENTS_H

#include "tree/slot.h"

/* What is there is made ready, what is missing is made. 1: ready; 0: it was left by a run that was
 * killed, and cannot be used; -1 with errno. */
int contents_open(struct slot *slot, struct trash *trash, const struct slot_order *order);
/* The kind of what lies in a session's slot: HOME_KINDS where there is nothing yet. */
enum home_kind contents_kind(int slot_dir);
/* A private and empty temporary directory. 0, or -1 with errno. */
int contents_open_temporary(struct slot *slot, struct trash *trash, const char *tree);
/* Makes an empty upper directory that looks like `below` (O_PATH), and one to work in, in place of what
 * was there. 0, or -1 with errno. */
int contents_make_layer(struct trash *trash, int dir, int below);

#endif

/* tree/layer.h - the upper directory of an overlay: the kernel's marks in it. */
#ifndef TREE_LAYER_H
#define TREE_LAYER_H

#include "tree/stamp.h"

/* Does `name` of a layer's directory say that what is below was removed? */
bool layer_is_whiteout(int dir, const char *name, const struct stamp *stamp);
/* Does the directory `name` hide all that is below it, and not only lie over it? */
bool layer_is_opaque(int dir, const char *name);

#endif

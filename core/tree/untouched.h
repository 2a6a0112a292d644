/* tree/untouched.h - a mark beside a copy at rest: its command could only read it, so that it still is what the last
 * sync left, and need not be looked at.
 *
 * What a machine that stopped at once has kept of a copy is another matter: the mark is of one boot.
 */
#ifndef TREE_UNTOUCHED_H
#define TREE_UNTOUCHED_H

#include <stdbool.h>

#define UNTOUCHED_MARK "untouched"

/* Where that cannot be done there is no mark, and the copy is looked at. */
void untouched_mark(int slot_dir);
/* Was it marked? From here on it is not. */
bool untouched_take(int slot_dir);

#endif

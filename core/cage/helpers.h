/* cage/helpers.h - what is to run before the command begins, confined as it is. */
#ifndef CAGE_HELPERS_H
#define CAGE_HELPERS_H

#include "cage/child.h"

/* In the command's own task, when it is confined: starts each helper and waits until it has put itself into the
 * background, for a second at most; one that fails or does not is started again, twice. One with a door is not started:
 * the door is, when it listens, and its pid noted, 0 for none. The command begins in any case: a client that finds
 * no helper starts one. `stack` is the end of memory that nobody uses. */
void helpers_start(const struct launch *launch, char *stack, int ret_doors[DOORS_MOST]);

#endif

/* cage/survivors.h - processes that carry a run's mark in their environment. */
#ifndef CAGE_SURVIVORS_H
#define CAGE_SURVIVORS_H

#include <stdint.h>

/* How many live processes have the exact entry `mark` ("PINFOLD_RUN=…") in their environment, as far
 * as the caller may look. */
uint32_t survivors_count(const char *mark);

#endif

/* tree/pace.h - how far a sync is: told to whoever waits for it, who may give it up. */
#ifndef TREE_PACE_H
#define TREE_PACE_H

#include "tree/folder.h"

/* More was copied. The caller's own thread tells it, at times. */
void pace_add(struct worker *worker, uint64_t files, uint64_t bytes);
/* The same of bytes, for carry_bytes: -1 with errno where the sync was given up. */
int pace_carry(void *worker, uint64_t bytes);
/* Tells it when it is time, or `now`; by the caller's own thread. */
void pace_tell(struct mirror *mirror, bool now);
void pace_idle(void *worker);

#endif

/* tree/holder.h - who holds a lock, for a person who waits for it. */
#ifndef TREE_HOLDER_H
#define TREE_HOLDER_H

/* "process 4711 (pinfold run -- make)" holds the lock of the slot at `place` below `root`; NULL where it
 * cannot be told. To be freed. */
char *holder_of(int root, const char *place);

#endif

/* base/owner.h - whose files are believed. */
#ifndef BASE_OWNER_H
#define BASE_OWNER_H

#include <stdbool.h>
#include <sys/types.h>

/* Root, the caller, or who stands for root where the caller's user namespace has no name for it: the owner
 * of the root directory, and the nobody that all users without a name there are shown as. */
bool owner_is_trusted(uid_t owner);

#endif

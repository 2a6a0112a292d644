/* tree/access.h - lists of who else may use a file (POSIX access lists), as what is applied gets them. */
#ifndef TREE_ACCESS_H
#define TREE_ACCESS_H

#include <stdint.h>

/* `to` gets the list that `from` has; both are descriptors, `from` may be one of O_PATH. 0, or -1 with errno;
 * a file system without lists has none to keep. */
int access_keep(int from, int to);
/* `to`, made in the directory `dir` with this mode, gets what that directory gives to what is made in it, as if
 * the kernel had made it there; the mode becomes what it then is. As access_keep. */
int access_inherit(int dir, int to, uint32_t *mode);

#endif

/* tree/inside.h - reaching what lies below a directory that somebody may be rearranging.
 *
 * Nothing here follows a link or leaves the directory, whatever happens to it meanwhile. All return
 * a descriptor or 0, or -1 with errno.
 */
#ifndef TREE_INSIDE_H
#define TREE_INSIDE_H

#include <stdbool.h>
#include <sys/types.h>

enum inside_reach {
	INSIDE_ANY_MOUNT = 0,
	INSIDE_ONE_MOUNT	/* what is mounted below is refused (EXDEV) */
};

/* Opens the directory `path` (several parts, as long as it likes; "" is `root` itself). */
int inside_open(int root, const char *path, int flags, enum inside_reach reach);
/* Opens (O_PATH) whatever `name` of `dir` is, on the same mount; "" is `dir` itself. */
int inside_open_name(int dir, const char *name);
/* Sets the mode of what `fd` refers to, which may be open with O_PATH only. */
int inside_set_mode(int fd, mode_t mode);
/* Makes a directory that cannot be used (mode 0555, 0000 …) the caller's to change. */
int inside_loosen(int dir, const char *name);

#endif

/* base/path.h - path names as text, and as the kernel resolves them. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <pinfold/error.h>
#include <stdbool.h>

/* Is `path` the same as `base`, or below it? Both canonical. */
bool path_is_within(const char *path, const char *base);
/* What follows `base` in `path`, without a slash before it: "" for the same; NULL where it is not within. */
const char *path_below(const char *path, const char *base);
/* "/a" + "b" is "/a/b"; NULL when memory is gone. */
char *path_join(const char *base, const char *rest);
/* The canonical path (no link, no dot) of what a descriptor refers to, by /proc/self/fd; -1 with
 * errno where that is not to be had (ENOENT: deleted). */
int path_of_fd(int fd, char **ret_path);
/* What realpath gives, in one call where there is no link on the way; the caller frees it. NULL with
 * errno. */
char *path_canonical(const char *path);
/* The caller's home: HOME where it is absolute, else the user database; canonical; NULL for none. */
char *path_home(void);

#endif

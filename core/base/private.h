/* base/private.h - small files that only the caller can have written, in his cache directory. */
#ifndef BASE_PRIVATE_H
#define BASE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* Opens pinfold/NAME in the cache directory ($XDG_CACHE_HOME, or ~/.cache), with O_PATH or O_RDONLY; `make`:
 * what is missing of it is made. -1 with errno; EPERM where it is not ours, or open to others. */
int private_open_directory(const char *name, int flags, bool make);
/* Opens a file there for reading: a regular one, ours and closed to others. -1 otherwise. */
int private_open_file(int dir, const char *name, struct stat *ret_status);
/* Writes one aside and renames it, so that no reader sees half of it. What fails leaves what there was. */
void private_write_file(int dir, const char *name, const void *data, size_t bytes);

#endif

/* base/fd.h - descriptors: whole reads and writes, and opening without following anything. */
#ifndef BASE_FD_H
#define BASE_FD_H

#include <dirent.h>
#include <stddef.h>
#include <sys/types.h>

/* Reads to the end; EFBIG past `most` bytes. A NUL is added after the bytes. 0, or -1 with errno. */
int fd_read_all(int fd, size_t most, char **ret_data, size_t *ret_bytes);
/* The same for the file of this path. */
int fd_read_path(const char *path, size_t most, char **ret_data, size_t *ret_bytes);
/* Waits where the descriptor would not. 0, or -1 with errno. */
int fd_write_all(int fd, const void *data, size_t bytes);
/* Of a path that is longer than one call takes, the first piece that is not, up to a slash: its bytes. Else 0. */
size_t fd_path_piece(const char *path);
/* Opens `path` below `dir` and follows no link, magic or not, on the way or at the end. `path` may
 * have several parts, and any length. Close-on-exec is added. -1 with errno (ELOOP where a link was met). */
int fd_open_beneath(int dir, const char *path, int flags, mode_t mode);
/* The path that the kernel knows the descriptor's file by now, without its NUL; not checked. -1 with errno. */
ssize_t fd_name(int fd, char *room, size_t bytes);
/* The names in this directory, which stays open; to be closed by closedir. NULL with errno. */
DIR *fd_list(int dir);
/* The descriptor's file, opened once more with other rights. -1 with errno. */
int fd_reopen(int fd, int flags);

#endif

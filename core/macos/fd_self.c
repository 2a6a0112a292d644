/* macos/fd_self.c - what the kernel knows of a descriptor of one's own. */
#include "config.h"

#include "base/fd.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

ssize_t fd_name(int fd, char *room, size_t bytes)
{
	char path[PATH_MAX];
	if (fcntl(fd, F_GETPATH, path) < 0)
		return -1;
	size_t length = strlen(path);
	memcpy(room, path, length < bytes ? length : bytes);
	return (ssize_t)(length < bytes ? length : bytes);
}

/* By its path, and only if that is the same file. */
int fd_reopen(int fd, int flags)
{
	char path[PATH_MAX];
	struct stat held, found;
	int again = fcntl(fd, F_GETPATH, path) < 0 ? -1 : open(path, flags | O_NOFOLLOW_ANY);
	if (again < 0)
		return -1;
	if (fstat(fd, &held) == 0 && fstat(again, &found) == 0 && held.st_dev == found.st_dev &&
	    held.st_ino == found.st_ino)
		return again;
	close(again);
	errno = ESTALE;
	return -1;
}

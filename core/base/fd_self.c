/* base/fd_self.c - what the kernel knows of a descriptor of one's own. */
#include "config.h"

#include "base/fd.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

ssize_t fd_name(int fd, char *room, size_t bytes)
{
	char link[64];
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	return readlink(link, room, bytes);
}

int fd_reopen(int fd, int flags)
{
	char link[64];
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	return open(link, flags);
}

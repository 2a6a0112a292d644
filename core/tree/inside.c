/* tree/inside.c - reaching what lies below a directory that somebody may be rearranging. */
#include "config.h"

#include "tree/inside.h"

#include "base/cleanup.h"
#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

static int open_once(int dir, const char *path, int flags, enum inside_reach reach)
{
	struct open_how how = {
		.flags = (unsigned)(flags | O_CLOEXEC),
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS |
			   (reach == INSIDE_ONE_MOUNT ? RESOLVE_NO_XDEV : 0),
	};
	for (int tries = 0;; tries++) {
		int fd = (int)syscall(SYS_openat2, dir, *path ? path : ".", &how, sizeof(how));
		if (fd >= 0 || (errno != EAGAIN && errno != EINTR) || tries == 100)
			return fd;
	}
}

int inside_open(int root, const char *path, int flags, enum inside_reach reach)
{
	auto_close int held = -1;
	int dir = root;
	for (size_t bytes; (bytes = fd_path_piece(path)) > 0; path += bytes + 1) {
		char piece[PATH_MAX];
		memcpy(piece, path, bytes);
		piece[bytes] = '\0';
		int next = open_once(dir, piece, O_PATH | O_DIRECTORY, reach);
		if (next < 0)
			return -1;
		cleanup_fd(&held);
		dir = held = next;
	}
	return open_once(dir, path, flags | O_DIRECTORY, reach);
}

int inside_open_name(int dir, const char *name)
{
	return open_once(dir, name, O_PATH | O_NOFOLLOW, INSIDE_ONE_MOUNT);
}

int inside_set_mode(int fd, mode_t mode)
{
	if (fchmod(fd, mode) == 0)
		return 0;
	if (errno != EBADF)
		return -1;
	if (syscall(SYS_fchmodat2, fd, "", mode, AT_EMPTY_PATH) == 0)
		return 0;
	if (errno != ENOSYS && errno != EPERM && errno != EINVAL)
		return -1;
	char link[64];
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	return chmod(link, mode);
}

int inside_loosen(int dir, const char *name)
{
	auto_close int fd = openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -1;
	return inside_set_mode(fd, S_IRWXU);
}

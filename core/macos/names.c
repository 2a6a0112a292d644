/* macos/names.c - names and descriptors: exchanging, copying, putting to disk, closing at an exec. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <spawn.h>
#include <sys/stdio.h>

int renameat2(int from, const char *name, int to, const char *to_name, unsigned flags)
{
	unsigned here = (flags & RENAME_NOREPLACE ? RENAME_EXCL : 0) | (flags & RENAME_EXCHANGE ? RENAME_SWAP : 0);
	return renameatx_np(from, name, to, to_name, here);
}

int memfd_create(const char *name, unsigned flags)
{
	const char *place = getenv("TMPDIR");
	char path[1024];
	snprintf(path, sizeof(path), "%s/%s.XXXXXX", place && place[0] == '/' ? place : "/private/tmp", name);
	int fd = mkstemp(path);
	if (fd < 0)
		return -1;
	unlink(path);
	if (flags & MFD_CLOEXEC)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

/* fsync leaves it to the disk when it writes; this does not. */
int fdatasync(int fd)
{
	return fcntl(fd, F_FULLFSYNC) == 0 ? 0 : fsync(fd);
}

int syncfs(int fd)
{
	sync();
	return fdatasync(fd);
}

/* In pieces, and from where both say; there is no call that does it alone. */
ssize_t copy_file_range(int from, off_t *from_at, int to, off_t *to_at, size_t bytes, unsigned flags)
{
	char room[65536];
	(void)flags;
	ssize_t got = pread(from, room, bytes < sizeof(room) ? bytes : sizeof(room), *from_at);
	ssize_t put = got <= 0 ? got : pwrite(to, room, (size_t)got, *to_at);
	if (put > 0) {
		*from_at += put;
		*to_at += put;
	}
	return put;
}

int pipe2(int ends[2], int flags)
{
	if (pipe(ends) < 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		if (flags & O_CLOEXEC)
			fcntl(ends[i], F_SETFD, FD_CLOEXEC);
		if (flags & O_NONBLOCK)
			fcntl(ends[i], F_SETFL, fcntl(ends[i], F_GETFL) | O_NONBLOCK);
	}
	return 0;
}

int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from)
{
	int most = getdtablesize(), result = 0;
	for (int fd = from; result == 0 && fd < most; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			result = posix_spawn_file_actions_addclose(actions, fd);
	return result;
}

int dup3(int from, int to, int flags)
{
	if (from == to) {
		errno = EINVAL;
		return -1;
	}
	int fd = dup2(from, to);
	if (fd >= 0 && flags & O_CLOEXEC)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

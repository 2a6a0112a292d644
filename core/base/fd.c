/* base/fd.c - descriptors: whole reads and writes, and opening without following anything. */
#include "config.h"

#include "base/fd.h"

#include "base/cleanup.h"
#include "base/file_limit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <poll.h>
#include <string.h>
#include <sys/syscall.h>

int fd_read_all(int fd, size_t most, char **ret_data, size_t *ret_bytes)
{
	auto_free char *data = NULL;
	size_t length = 0, room = 0;
	for (;;) {
		if (length + 1 >= room) {
			room = room ? room * 2 : 4096;
			char *bigger = realloc(data, room);
			if (!bigger)
				return -1;
			data = bigger;
		}
		ssize_t got = read(fd, data + length, room - length - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		length += (size_t)got;
		if (length > most) {
			errno = EFBIG;
			return -1;
		}
	}
	data[length] = '\0';
	*ret_data = take_pointer(&data);
	*ret_bytes = length;
	return 0;
}

int fd_read_path(const char *path, size_t most, char **ret_data, size_t *ret_bytes)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -1 : fd_read_all(fd, most, ret_data, ret_bytes);
}

DIR *fd_list(int dir)
{
	auto_close int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *names = fd < 0 ? NULL : fdopendir(fd);
	if (names)
		take_fd(&fd);
	return names;
}

/* Whoever shares an open file may have made it one that does not wait. */
static int wait_for_room(int fd)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };
	return poll(&room, 1, -1) < 0 && errno != EINTR ? -1 : 0;
}

static int write_on(int fd, const void *data, size_t bytes)
{
	const char *from = data;
	while (bytes > 0) {
		ssize_t put = write(fd, from, bytes);
		if (put < 0 && (errno == EINTR || (errno == EAGAIN && wait_for_room(fd) == 0)))
			continue;
		if (put < 0)
			return -1;
		from += put;
		bytes -= (size_t)put;
	}
	return 0;
}

int fd_write_all(int fd, const void *data, size_t bytes)
{
	struct file_limit limit;
	file_limit_hold(&limit);
	int result = write_on(fd, data, bytes);
	file_limit_let_go(&limit);
	return result;
}

size_t fd_path_piece(const char *path)
{
	size_t end = PATH_MAX - 1;
	if (strnlen(path, PATH_MAX) < PATH_MAX)
		return 0;
	while (end > 0 && path[end] != '/')
		end--;
	return end;
}

static int open_beneath(int dir, const char *path, int flags, mode_t mode)
{
	struct open_how how = {
		.flags = (unsigned)(flags | O_CLOEXEC),
		.mode = flags & O_CREAT ? mode : 0,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};
	return (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
}

int fd_open_beneath(int dir, const char *path, int flags, mode_t mode)
{
	auto_close int held = -1;
	for (size_t bytes; (bytes = fd_path_piece(path)) > 0; path += bytes + 1) {
		char piece[PATH_MAX];
		memcpy(piece, path, bytes);
		piece[bytes] = '\0';
		int next = open_beneath(dir, piece, O_PATH | O_DIRECTORY, 0);
		if (next < 0)
			return -1;
		cleanup_fd(&held);
		dir = held = next;
	}
	return open_beneath(dir, path, flags, mode);
}

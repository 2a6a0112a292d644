/* macos/open.c - opening a path without following links, or without leaving a directory.
 *
 * The kernel refuses links anywhere in a path by O_NOFOLLOW_ANY. Staying below a directory is a matter of the
 * path's own parts then, and where links may be followed each part is opened by itself.
 */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/event.h>

#undef syscall

enum { LINKS_MOST = 40 };

/* Never above where it began, nor from the root. */
static int stays_below(const char *path)
{
	int depth = 0;
	if (*path == '/')
		return 0;
	while (*path) {
		size_t length = strcspn(path, "/");
		if (length == 2 && path[0] == '.' && path[1] == '.')
			depth--;
		else if (length > 0 && !(length == 1 && path[0] == '.'))
			depth++;
		if (depth < 0)
			return 0;
		path += length;
		path += *path == '/';
	}
	return 1;
}

static int other_volume(int dir, int fd)
{
	struct stat there, here;
	return fstat(dir, &there) < 0 || fstat(fd, &here) < 0 || there.st_dev != here.st_dev;
}

static int open_plain(int dir, const char *path, const struct open_how *how)
{
	if (how->resolve & RESOLVE_BENEATH && !stays_below(path)) {
		errno = EXDEV;
		return -1;
	}
	int fd = openat(dir, path, (int)how->flags | O_NOFOLLOW_ANY, (mode_t)how->mode);
	if (fd < 0 || !(how->resolve & RESOLVE_NO_XDEV) || !other_volume(dir, fd))
		return fd;
	close(fd);
	errno = EXDEV;
	return -1;
}

/* The part of a path that begins at `start`, read as a link in the directory that comes before it. */
static ssize_t read_link(int dir, const char *path, size_t start, char *link, size_t room)
{
	char before[PATH_MAX], part[NAME_MAX + 1];
	size_t length = strcspn(path + start, "/");
	if (start >= sizeof(before) || length > NAME_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	snprintf(before, sizeof(before), "%.*s", (int)start, start ? path : ".");
	snprintf(part, sizeof(part), "%.*s", (int)length, path + start);
	int at = openat(dir, start ? before : ".", O_EVTONLY | O_DIRECTORY | O_NOFOLLOW_ANY | O_CLOEXEC);
	ssize_t bytes = at < 0 ? -1 : readlinkat(at, part, link, room);
	if (at >= 0)
		close(at);
	return bytes;
}

/* Puts the text of the first link of a path in its place; 1 when there was one, 0 when there is none. */
static int splice_first(int dir, char *path, size_t room)
{
	char link[PATH_MAX], whole[2 * PATH_MAX];
	for (size_t start = 0; path[start]; start += strcspn(path + start, "/"), start += path[start] == '/') {
		size_t length = strcspn(path + start, "/");
		ssize_t bytes = length ? read_link(dir, path, start, link, sizeof(link)) : -1;
		if (bytes < 0)	/* no link: what is wrong otherwise is told by the next opening */
			continue;
		int needed = snprintf(whole, sizeof(whole), "%.*s%.*s%s", link[0] == '/' ? 0 : (int)start, path,
				      (int)bytes, link, path + start + length);
		if (needed < 0 || (size_t)needed >= room) {
			errno = ENAMETOOLONG;
			return -1;
		}
		memcpy(path, whole, (size_t)needed + 1);
		return 1;
	}
	return 0;
}

/* Links are put in by hand, one after the other, and what comes of it is opened without any: who swaps a
 * directory meanwhile is refused, not followed. */
static int open_below(int dir, const char *path, const struct open_how *how)
{
	char plain[PATH_MAX];
	if (strlen(path) >= sizeof(plain)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(plain, path);
	for (int links = 0; links < LINKS_MOST; links++) {
		int fd = open_plain(dir, plain, how);
		if (fd >= 0 || errno != ELOOP || how->flags & O_NOFOLLOW)
			return fd;
		int spliced = splice_first(dir, plain, sizeof(plain));
		if (spliced < 0)
			return -1;
	}
	errno = ELOOP;
	return -1;
}

static int open_how(int dir, const char *path, const struct open_how *how)
{
	if (how->resolve & RESOLVE_NO_SYMLINKS || !(how->resolve & RESOLVE_BENEATH))
		return how->resolve & RESOLVE_NO_SYMLINKS ? open_plain(dir, path, how) :
							    openat(dir, path, (int)how->flags, (mode_t)how->mode);
	return open_below(dir, path, how);
}

/* Readable when the process has ended. */
static int process_descriptor(pid_t process)
{
	int queue = kqueue();
	struct kevent end;
	EV_SET(&end, process, EVFILT_PROC, EV_ADD | EV_ONESHOT, NOTE_EXIT, 0, NULL);
	if (queue >= 0 && kevent(queue, &end, 1, NULL, 0, NULL) < 0) {
		close(queue);
		return -1;
	}
	return queue;
}

static int close_range_of(unsigned first, unsigned last)
{
	int most = getdtablesize();
	for (unsigned fd = first; fd <= last && fd < (unsigned)most; fd++)
		close((int)fd);
	return 0;
}

long mac_syscall(long number, ...)
{
	va_list list;
	long result = -1;
	va_start(list, number);
	if (number == SYS_openat2) {
		int dir = va_arg(list, int);
		const char *path = va_arg(list, const char *);
		result = open_how(dir, path, va_arg(list, const struct open_how *));
	} else if (number == SYS_pidfd_open) {
		result = process_descriptor(va_arg(list, pid_t));
	} else if (number == SYS_close_range) {
		unsigned first = va_arg(list, unsigned);
		result = close_range_of(first, va_arg(list, unsigned));
	} else if (number == SYS_renameat2) {
		int from = va_arg(list, int);
		const char *name = va_arg(list, const char *);
		int to = va_arg(list, int);
		const char *to_name = va_arg(list, const char *);
		result = renameat2(from, name, to, to_name, va_arg(list, unsigned));
	} else {
		errno = ENOSYS;
	}
	va_end(list);
	return result;
}

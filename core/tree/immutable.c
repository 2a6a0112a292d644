/* tree/immutable.c - what a mark forbids to change (chattr +i, +a), and its removal all the same. */
#include "config.h"

#include "tree/immutable.h"

#include "base/cleanup.h"
#include "base/fd.h"
#include "tree/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

enum { MARKS = FS_IMMUTABLE_FL | FS_APPEND_FL };

/* For reading: only files and directories, for opening others can do something. */
static int open_marked(int dir, const char *name)
{
	struct stat found;
	auto_close int fd = inside_open_name(dir, name);
	if (fd < 0 || fstat(fd, &found) < 0)
		return -1;
	if (!S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)) {
		errno = EPERM;
		return -1;
	}
	return fd_reopen(fd, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/* What the flags were; -1 with errno where there was no mark, or it cannot be taken. */
static int take_marks(int fd)
{
	int flags = 0;
	if (ioctl(fd, FS_IOC_GETFLAGS, &flags) < 0)
		return -1;
	int without = flags & ~MARKS;
	if (without == flags) {
		errno = EPERM;
		return -1;
	}
	return ioctl(fd, FS_IOC_SETFLAGS, &without) < 0 ? -1 : flags;
}

/* Of a directory it says nothing. */
static unsigned long names_of(int fd)
{
	struct stat found;
	return fstat(fd, &found) < 0 ? 2 : S_ISDIR(found.st_mode) ? 1 : found.st_nlink;
}

int immutable_free(int dir, const char *name)
{
	auto_close int above = open_marked(dir, ""), fd = open_marked(dir, name);
	bool freed = above >= 0 && take_marks(above) >= 0;
	if (fd >= 0 && names_of(fd) == 1)
		freed |= take_marks(fd) >= 0;
	return freed ? 0 : -1;
}

void immutable_lift(int dir)
{
	struct statx found;
	if (statx(dir, "", AT_EMPTY_PATH, STATX_TYPE, &found) < 0 ||
	    !(found.stx_attributes & (STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND)))
		return;
	auto_close int fd = open_marked(dir, "");
	if (fd >= 0)
		take_marks(fd);
}

int immutable_unlink(int dir, const char *name)
{
	auto_close int above = open_marked(dir, ""), fd = open_marked(dir, name);
	if (above >= 0)
		take_marks(above);
	int before = fd >= 0 ? take_marks(fd) : -1;
	int result = unlinkat(dir, name, 0), failure = errno;
	if (before >= 0 && names_of(fd) > 0)
		ioctl(fd, FS_IOC_SETFLAGS, &before);
	errno = failure;
	return result;
}

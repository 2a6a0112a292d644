/* macos/immutable.c - what a flag forbids to change (chflags uchg, uappnd), and its removal all the same. */
#include "config.h"

#include "tree/immutable.h"

#include "base/cleanup.h"
#include "tree/inside.h"

#include <errno.h>
#include <stdbool.h>

enum { MARKS = UF_IMMUTABLE | UF_APPEND };

/* What the flags were; -1 with errno where there was no mark, or it cannot be taken. */
static int64_t take_marks(int fd)
{
	struct stat found;
	if (fd < 0 || fstat(fd, &found) < 0)
		return -1;
	if (!(found.st_flags & MARKS)) {
		errno = EPERM;
		return -1;
	}
	return fchflags(fd, found.st_flags & ~(unsigned)MARKS) < 0 ? -1 : (int64_t)found.st_flags;
}

/* Of a directory it says nothing. */
static unsigned long names_of(int fd)
{
	struct stat found;
	return fstat(fd, &found) < 0 ? 2 : S_ISDIR(found.st_mode) ? 1 : found.st_nlink;
}

int immutable_free(int dir, const char *name)
{
	auto_close int above = inside_open_name(dir, ""), fd = inside_open_name(dir, name);
	bool freed = take_marks(above) >= 0;
	if (fd >= 0 && names_of(fd) == 1)
		freed |= take_marks(fd) >= 0;
	return freed ? 0 : -1;
}

void immutable_lift(int dir)
{
	take_marks(dir);
}

int immutable_unlink(int dir, const char *name)
{
	auto_close int above = inside_open_name(dir, ""), fd = inside_open_name(dir, name);
	take_marks(above);
	int64_t before = take_marks(fd);
	int result = unlinkat(dir, name, 0), failure = errno;
	if (before >= 0 && names_of(fd) > 0)
		fchflags(fd, (unsigned)before);
	errno = failure;
	return result;
}

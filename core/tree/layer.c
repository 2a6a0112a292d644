/* tree/layer.c - the upper directory of an overlay: the kernel's marks in it. */
#include "config.h"

#include "tree/layer.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/pry.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>

/* Root's overlays have the first, those made in a user namespace the second. */
static const char *const opaque_marks[] = { "trusted.overlay.opaque", "user.overlay.opaque" };
static const char *const whiteout_marks[] = { "trusted.overlay.whiteout", "user.overlay.whiteout" };

static const char *const origin_marks[] = { "trusted.overlay.origin", "user.overlay.origin" };

static bool is_device_zero(int dir, const char *name)
{
	struct stat found;
	return fstatat(dir, name, &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISCHR(found.st_mode) &&
	       found.st_rdev == 0;
}

static bool has_mark(int dir, const char *name, const char *const *marks)
{
	auto_close int fd = pry_file(dir, name);
	return fd >= 0 && (fgetxattr(fd, marks[0], NULL, 0) >= 0 ||
			   fgetxattr(fd, marks[1], NULL, 0) >= 0);
}

bool layer_is_whiteout(int dir, const char *name, const struct stamp *stamp)
{
	if (S_ISCHR(stamp->mode))
		return is_device_zero(dir, name);
	return S_ISREG(stamp->mode) && stamp->size == 0 && has_mark(dir, name, whiteout_marks);
}

/* Which of the marks it has; -1 for none. */
static int opaque_mark(int dir, const char *name)
{
	char value[2];
	auto_close int fd = pry_file(dir, name);
	for (int i = 0; fd >= 0 && i < (int)N_ELEMENTS(opaque_marks); i++)
		if (fgetxattr(fd, opaque_marks[i], value, sizeof(value)) == 1 && value[0] == 'y')
			return i;
	return -1;
}

bool layer_is_opaque(int dir, const char *name)
{
	return opaque_mark(dir, name) >= 0;
}

/* Sets or removes one of its marks. */
static int set_mark(int fd, const char *mark, bool there)
{
	struct stat found;
	if (fstat(fd, &found) < 0)
		return -1;
	bool loosened = (found.st_mode & S_IWUSR) == 0 && fchmod(fd, (found.st_mode & 07777) | S_IWUSR) == 0;
	int result = there ? fsetxattr(fd, mark, "y", 1, 0) : fremovexattr(fd, mark);
	int failure = errno;
	if (loosened && fchmod(fd, found.st_mode & 07777) < 0)
		return -1;
	errno = failure;
	return result;
}

int layer_close(int dir, const char *name, int parent, const char *like)
{
	auto_close int fd = pry_file(dir, name);
	int mark = fd < 0 ? -1 : opaque_mark(parent, like);
	return mark < 0 ? -1 : set_mark(fd, opaque_marks[mark], true);
}

int layer_open_up(int dir, const char *name)
{
	int mark;
	auto_close int fd = pry_file(dir, name);
	while (fd >= 0 && (mark = opaque_mark(dir, name)) >= 0)
		if (set_mark(fd, opaque_marks[mark], false) < 0)
			return -1;
	return fd < 0 ? -1 : 0;
}

/* The kernel lets everybody make this one device. */
int layer_add_whiteout(int dir, const char *name)
{
	return mknodat(dir, name, S_IFCHR, makedev(0, 0));
}

bool layer_has_origin(int dir, const char *name)
{
	return has_mark(dir, name, origin_marks);
}

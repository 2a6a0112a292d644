/* tree/layer.c - the upper directory of an overlay: the kernel's marks in it. */
#include "config.h"

#include "tree/layer.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/pry.h"

#include <fcntl.h>
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

bool layer_is_opaque(int dir, const char *name)
{
	char value[2];
	auto_close int fd = pry_file(dir, name);
	for (size_t i = 0; fd >= 0 && i < N_ELEMENTS(opaque_marks); i++)
		if (fgetxattr(fd, opaque_marks[i], value, sizeof(value)) == 1 && value[0] == 'y')
			return true;
	return false;
}

bool layer_has_origin(int dir, const char *name)
{
	return has_mark(dir, name, origin_marks);
}

/* tree/apply_names.c - names that go from one directory to another, and never over another's. */
#include "config.h"

#include "tree/apply_steps.h"

#include "base/cleanup.h"
#include "tree/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/syscall.h>

static int rename_with(int from, const char *name, int to, const char *to_name, unsigned flags)
{
	for (;;) {
		int result = (int)syscall(SYS_renameat2, from, name, to, to_name, flags);
		if (result == 0 || errno != EINTR)
			return result;
	}
}

static bool is_unsupported(int failure)
{
	return failure == EINVAL || failure == ENOSYS || failure == ENOTSUP;
}

int name_look(int dir, const char *name, struct stamp *ret_stamp)
{
	*ret_stamp = (struct stamp){ 0 };
	if (stamp_read(dir, name, ret_stamp) == 0)
		return 1;
	return is_absence(errno) ? 0 : -1;
}

/* Where the file system knows no rename that spares what is there: a second name is such a one, and
 * a directory replaces no more than an empty one. */
static int put_by_link(int from, const char *name, int to, const char *to_name)
{
	struct stamp there, it;
	if (stamp_read(from, name, &it) < 0)
		return -1;
	if (S_ISDIR(it.mode)) {
		int found = name_look(to, to_name, &there);
		if (found == 0)
			return rename_with(from, name, to, to_name, 0);
		errno = found > 0 ? EEXIST : errno;
		return -1;
	}
	if (linkat(from, name, to, to_name, 0) < 0) {
		errno = errno == EEXIST ? EEXIST : ENOTSUP;
		return -1;
	}
	return unlinkat(from, name, 0);
}

int name_put(int from, const char *name, int to, const char *to_name)
{
	int result = rename_with(from, name, to, to_name, RENAME_NOREPLACE);
	return result < 0 && is_unsupported(errno) ? put_by_link(from, name, to, to_name) : result;
}

int name_exchange(int a, const char *name, int b, const char *other)
{
	int result = rename_with(a, name, b, other, RENAME_EXCHANGE);
	if (result < 0 && is_unsupported(errno))
		errno = ENOTSUP;
	return result;
}

enum { MOST_RESCUED = 1000, RESCUED_NAME = 200 };

int name_rescue(const struct steps *steps, const struct step *step, int area, const char *name)
{
	const char *wanted, *slash = strrchr(step->path, '/');
	char free_name[RESCUED_NAME + 64];
	auto_close int dir = step_reach(steps, step->part, step->path, &wanted);
	if (dir < 0 && is_absence(errno))
		dir = inside_open(steps->parts[step->part].place_fd, "", O_PATH, INSIDE_ANY_MOUNT);
	if (dir < 0)
		return -1;
	wanted = slash ? slash + 1 : step->path;
	for (int number = 0; number < MOST_RESCUED; number++) {
		int used = snprintf(free_name, sizeof(free_name), "%.*s.saved-by-pinfold", RESCUED_NAME, wanted);
		if (number > 0)
			snprintf(free_name + used, sizeof(free_name) - (size_t)used, "-%d", number);
		if (name_put(area, name, dir, free_name) == 0)
			return 0;
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

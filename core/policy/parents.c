/* policy/parents.c - directories opened once, for the names in them. */
#include "config.h"

#include "policy/parents.h"

#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>

static const struct parent *find(const struct parents *parents, const char *path, size_t length)
{
	size_t count = parents->count < PARENTS_MOST ? parents->count : PARENTS_MOST;
	for (size_t i = 0; i < count; i++)
		if (parents->rows[i].length == length &&
		    memcmp(parents->rows[i].path, path, length) == 0)
			return &parents->rows[i];
	return NULL;
}

/* Follows no link, so that what is found in it has the path by which it was sought. */
static const struct parent *add(struct parents *parents, const char *path, size_t length)
{
	struct open_how how = { .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
				.resolve = RESOLVE_NO_SYMLINKS };
	char name[PATH_MAX];
	struct parent parent = { .path = path, .length = length, .fd = -1, .sys = ENAMETOOLONG };
	if (length < sizeof(name)) {
		memcpy(name, path, length);
		name[length] = '\0';
		parent.fd = (int)syscall(SYS_openat2, AT_FDCWD, length ? name : "/", &how, sizeof(how));
		parent.sys = parent.fd < 0 ? errno : 0;
	}
	struct parent *row = &parents->rows[parents->count++ % PARENTS_MOST];
	if (parents->count > PARENTS_MOST)
		cleanup_fd(&row->fd);
	*row = parent;
	return row;
}

int parents_look(struct parents *parents, const char *path, struct stat *ret_status)
{
	const char *slash = strrchr(path, '/');
	if (!slash || !slash[1] || strstr(path, "/../") || strcmp(slash, "/..") == 0)
		return 0;
	size_t length = (size_t)(slash - path);
	const struct parent *parent = find(parents, path, length);
	if (!parent)
		parent = add(parents, path, length);
	struct stat status;
	int sys = parent->sys;
	if (parent->fd >= 0 && fstatat(parent->fd, slash + 1, &status,
				       AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) < 0)
		sys = errno;
	if (sys == ENOENT || sys == ENOTDIR) {
		errno = sys;
		return -1;
	}
	if (sys != 0 || S_ISLNK(status.st_mode))
		return 0;
	*ret_status = status;
	return 1;
}

void parents_release(struct parents *parents)
{
	for (size_t i = 0; i < parents->count && i < PARENTS_MOST; i++)
		cleanup_fd(&parents->rows[i].fd);
	*parents = (struct parents){ 0 };
}

/* tree/pry.c - opening what a command left, also where it left no right to. */
#include "config.h"

#include "tree/pry.h"

#include "base/cleanup.h"
#include "tree/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

enum { READ_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };

/* Gives the owner all rights to what `fd` is open on (O_PATH). Whether there were fewer. */
static bool loosen(int fd, mode_t *ret_mode)
{
	struct stat found;
	if (fstat(fd, &found) < 0 || (!S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)) ||
	    (found.st_mode & S_IRWXU) == S_IRWXU)
		return false;
	*ret_mode = found.st_mode & 07777;
	return inside_set_mode(fd, *ret_mode | S_IRWXU) == 0;
}

int pry_file(int dir, const char *name)
{
	int fd = openat(dir, name, READ_FLAGS);
	if (fd >= 0 || errno != EACCES)
		return fd;
	mode_t mode;
	auto_close int looked = openat(dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (looked < 0 || !loosen(looked, &mode)) {
		errno = EACCES;
		return -1;
	}
	fd = openat(dir, name, READ_FLAGS);
	int failure = errno;
	inside_set_mode(looked, mode);
	errno = failure;
	return fd;
}

/* Opens what is directly in `dir`: a directory on the way, or the file at the end. */
static int step(int dir, const char *name, bool last)
{
	if (last)
		return pry_file(dir, name);
	return inside_open(dir, name, O_PATH, INSIDE_ONE_MOUNT);
}

static int step_prying(int dir, const char *name, bool last)
{
	mode_t mode;
	int fd = step(dir, name, last);
	if (fd >= 0 || errno != EACCES || !loosen(dir, &mode))
		return fd;
	fd = step(dir, name, last);
	int failure = errno;
	inside_set_mode(dir, mode);
	errno = failure;
	return fd;
}

int pry_path(int root, const char *path)
{
	char name[NAME_MAX + 1];
	auto_close int dir = inside_open(root, "", O_PATH, INSIDE_ONE_MOUNT);
	while (dir >= 0) {
		size_t bytes = strcspn(path, "/");
		bool last = path[bytes] == '\0';
		if (bytes == 0 || bytes > NAME_MAX) {
			errno = bytes ? ENAMETOOLONG : EINVAL;
			return -1;
		}
		memcpy(name, path, bytes);
		name[bytes] = '\0';
		int next = step_prying(dir, name, last);
		if (last || next < 0)
			return next;
		close(dir);
		dir = next;
		path += bytes + 1;
	}
	return -1;
}

struct pried_directory {
	struct pried_directory *before;
	const char *path;
	uint32_t mode;
};

/* Root needs no rights, and a mode that is set changes times. */
static int keep_open(struct pried *pried, struct arena *arena, int fd, const char *path, mode_t mode,
		     mode_t needed)
{
	if ((mode & needed) == needed || geteuid() == 0)
		return 0;
	struct pried_directory *directory = arena_allocate(arena, sizeof(*directory));
	const char *copy = directory ? arena_copy(arena, path) : NULL;
	if (!copy) {
		errno = ENOMEM;
		return -1;
	}
	if (inside_set_mode(fd, (mode & 07777) | S_IRWXU) < 0)
		return -1;
	*directory = (struct pried_directory){ pried->last, copy, mode & 07777 };
	pried->last = directory;
	return 0;
}

int pry_keep_open(struct pried *pried, struct arena *arena, int fd, const char *path, uint32_t mode)
{
	return keep_open(pried, arena, fd, path, mode, S_IRUSR | S_IXUSR);
}

static int open_up(struct pried *pried, struct arena *arena, int root, const char *path)
{
	struct stat found;
	auto_close int fd = inside_open(root, path, O_PATH, INSIDE_ONE_MOUNT);
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? 0 : -1;
	return fstat(fd, &found) < 0 ? -1 : keep_open(pried, arena, fd, path, found.st_mode, S_IRWXU);
}

int pry_way(struct pried *pried, struct arena *arena, int root, const char *path)
{
	auto_free char *up_to = strdup(path);
	if (!up_to)
		return -1;
	int result = *path ? open_up(pried, arena, root, "") : 0;
	for (char *slash = strchr(up_to, '/'); slash && result == 0; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		result = open_up(pried, arena, root, up_to);
		*slash = '/';
	}
	return result;
}

void pry_close_again(struct pried *pried, int root)
{
	for (const struct pried_directory *at = pried->last; at; at = at->before) {
		auto_close int fd = inside_open(root, at->path, O_PATH, INSIDE_ONE_MOUNT);
		if (fd >= 0)
			inside_set_mode(fd, at->mode);
	}
	pried->last = NULL;
}

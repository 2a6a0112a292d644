/* plugins/common/landlock/around.c - rules for the neighbours of what is left out. */
#include "config.h"

#include "around.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool around_is_within(const char *path, const char *directory)
{
	size_t length = strlen(directory);
	if (length == 1)	/* "/" */
		return path[0] == '/';
	return strncmp(path, directory, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

enum meeting { MEETS_NOTHING, IS_A_HOLE, HOLDS_FILES, HOLDS_DIRECTORIES };

/* What of the holes lies at a path or below it. */
static enum meeting meet(const struct around *around, const char *path)
{
	enum meeting meeting = MEETS_NOTHING;
	for (size_t i = 0; i < around->hole_count; i++) {
		const struct around_hole *hole = &around->holes[i];
		if (around_is_within(path, hole->path) && !hole->alone)
			return IS_A_HOLE;
		if (!around_is_within(hole->path, path))
			continue;
		if (hole->directory || meeting == HOLDS_DIRECTORIES)
			meeting = HOLDS_DIRECTORIES;
		else
			meeting = HOLDS_FILES;
	}
	return meeting;
}

static int allow(struct around *around, int fd, uint64_t rights)
{
	if (++around->rules > around->most)
		return 1;
	long result = wall_allow(around->host, around->ruleset, around->handled, fd, rights);
	if (result == -EBADFD || result == -EBADF)	/* of a file system without paths */
		return 0;
	if (result < 0)
		errno = (int)-result;
	return result < 0 ? -1 : 0;
}

static int allow_in(struct around *around, int base, const char *name, const char *path, uint64_t rights);

/* Path of an entry; to be freed. */
static char *join(const char *directory, const char *name)
{
	size_t length = strcmp(directory, "/") == 0 ? 0 : strlen(directory), more = strlen(name);
	char *path = malloc(length + more + 2);
	if (!path)
		return NULL;
	memcpy(path, directory, length);
	path[length] = '/';
	memcpy(path + length + 1, name, more + 1);
	return path;
}

static int allow_entry(struct around *around, int fd, const char *directory, const char *name, uint64_t rights)
{
	char *path = join(directory, name);
	int result = path ? allow_in(around, fd, name, path, rights) : -1;
	free(path);
	return result;
}

/* Where a directory cannot be listed, only the way to what is left out is known, and to nothing else. */
static int allow_on_the_way(struct around *around, int fd, const char *directory, uint64_t rights)
{
	size_t length = strcmp(directory, "/") == 0 ? 0 : strlen(directory);
	int result = 0;
	for (size_t i = 0; result == 0 && i < around->hole_count; i++) {
		const char *hole = around->holes[i].path, *rest = hole + length + 1;
		if (!around_is_within(hole, directory) || strcmp(hole, directory) == 0)
			continue;
		char *name = strndup(rest, strcspn(rest, "/"));
		result = name ? allow_entry(around, fd, directory, name, rights) : -1;
		free(name);
	}
	return result;
}

static int allow_entries(struct around *around, int fd, const char *directory, uint64_t rights)
{
	int list = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), result = 0;
	DIR *entries = list >= 0 ? fdopendir(list) : NULL;
	if (!entries) {
		if (list >= 0)
			close(list);
		return allow_on_the_way(around, fd, directory, rights);
	}
	for (struct dirent *entry; result == 0 && (entry = readdir(entries));) {
		bool own = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
		if (!own && entry->d_type != DT_LNK)	/* what a link leads to counts, where that is */
			result = allow_entry(around, fd, directory, entry->d_name, rights);
	}
	closedir(entries);
	return result;
}

static int allow_in(struct around *around, int base, const char *name, const char *path, uint64_t rights)
{
	enum meeting meeting = meet(around, path);
	if (meeting == IS_A_HOLE)
		return 0;
	int fd = openat(base, name, O_PATH | O_NOFOLLOW | O_CLOEXEC), result = 0;
	if (fd < 0)	/* gone meanwhile, or out of the caller's own reach */
		return errno == EMFILE || errno == ENFILE || errno == ENOMEM ? -1 : 0;
	if (meeting == MEETS_NOTHING)
		result = allow(around, fd, rights);
	if (meeting == HOLDS_FILES)
		result = allow(around, fd, rights & WALL_READ_DIR);
	if (meeting != MEETS_NOTHING && result == 0)
		result = allow_entries(around, fd, path, rights & ~(uint64_t)(meeting == HOLDS_FILES ? WALL_READ_DIR : 0));
	close(fd);
	return result;
}

int around_allow(struct around *around, const char *path, uint64_t rights)
{
	return allow_in(around, AT_FDCWD, path, path, rights);
}

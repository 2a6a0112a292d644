/* tree/home.c - where everything that is kept of one working tree lies. */
#include "config.h"

#include "tree/home.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

void home_name(const char *tree, enum home_kind kind, char *room)
{
	uint64_t key = 0xcbf29ce484222325u ^ kind;
	for (const char *at = tree; *at; at++)
		key = (key ^ (unsigned char)*at) * 0x100000001b3u;
	snprintf(room, HOME_ROOM, "t/%016" PRIx64, key);
}

int home_is_of(int root, const char *name, const char *tree)
{
	char target[PATH_MAX];
	auto_close int home = inside_open(root, name, O_PATH, INSIDE_ANY_MOUNT);
	if (home < 0 || (symlinkat(tree, home, "of") < 0 && errno != EEXIST))
		return -1;
	ssize_t bytes = readlinkat(home, "of", target, sizeof(target));
	if (bytes < 0)
		return -1;
	return (size_t)bytes == strlen(tree) && memcmp(target, tree, (size_t)bytes) == 0;
}

static int make_directory(int root, const char *name)
{
	return mkdirat(root, name, S_IRWXU) < 0 && errno != EEXIST ? -1 : 0;
}

int home_open_slot(int root, const char *place, const char *tree)
{
	int fd = inside_open(root, place, O_PATH, INSIDE_ANY_MOUNT);
	if (fd >= 0 || errno != ENOENT)
		return fd;
	char home[HOME_ROOM];
	snprintf(home, sizeof(home), "%.*s", (int)(strrchr(place, '/') - place), place);
	if (make_directory(root, "t") < 0 || make_directory(root, home) < 0)
		return -1;
	/* Some file systems have no links of the length that paths may have: sessions need it. */
	if (home_is_of(root, home, tree) < 0 && errno != ENAMETOOLONG)
		return -1;
	if (make_directory(root, place) < 0)
		return -1;
	return inside_open(root, place, O_PATH, INSIDE_ANY_MOUNT);
}

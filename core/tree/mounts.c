/* tree/mounts.c - do two paths of the tree lie on one mount, so that a rename leads from one to the other? */
#include "config.h"

#include "tree/pairs.h"

#include "base/cleanup.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static uint64_t mount_of(int fd)
{
	struct statx found;
	if (fd < 0 || statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &found) < 0 || !(found.stx_mask & STATX_MNT_ID))
		return 0;
	return found.stx_mnt_id;
}

/* Of the nearest directory that the tree has on the way to `path`. */
static uint64_t nearest_mount(int place, char *path)
{
	for (;;) {
		char *slash = strrchr(path, '/');
		*(slash ? slash : path) = '\0';
		auto_close int fd = inside_open(place, path, O_PATH, INSIDE_ANY_MOUNT);
		if (fd >= 0 || !*path)
			return mount_of(fd);
	}
}

static bool are_apart(int place, const char *a, const char *b)
{
	auto_free char *left = strdup(a), *right = strdup(b);
	uint64_t one = left ? nearest_mount(place, left) : 0, other = right ? nearest_mount(place, right) : 0;
	return one != other && one != 0 && other != 0;
}

static bool is_parent(const char *parent, const char *path)
{
	const char *name = pairs_last_name(path);
	return parent && strncmp(parent, path, (size_t)(name - path)) == 0 && parent[name - path] == '\0';
}

static void keep_parent(char **parent, const char *path)
{
	free(*parent);
	*parent = strndup(path, (size_t)(pairs_last_name(path) - path));
}

bool mounts_part(struct pairs *pairs, const char *from, const char *to)
{
	struct pairs_way *way = &pairs->way;
	if (is_parent(way->from, from) && is_parent(way->to, to))
		return way->apart;
	way->apart = are_apart(pairs->order->place_fd, from, to);
	keep_parent(&way->from, from);
	keep_parent(&way->to, to);
	return way->apart;
}

/* cage/ids.c - every id of the caller's, mapped to itself: in a namespace of his own that has fewer. */
#include "config.h"

#include "cage/ids.h"

#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAP_ROOM = 4096 };	/* the kernel takes no more at once */

int ids_same(const char *map, char *room, size_t bytes)
{
	size_t length = 0;
	unsigned long first, outside, count;
	for (int taken; sscanf(map, "%lu %lu %lu%n", &first, &outside, &count, &taken) == 3; map += taken) {
		int more = snprintf(room + length, bytes - length, "%lu %lu %lu\n", first, first, count);
		if (more < 0 || (size_t)more >= bytes - length)
			return -1;
		length += (size_t)more;
	}
	return length > 0 ? (int)length : -1;
}

static int map_one(pid_t process, const char *name)
{
	char path[64], own[MAP_ROOM], text[MAP_ROOM];
	snprintf(path, sizeof(path), "/proc/self/%s", name);
	auto_close int from = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = from < 0 ? -1 : read(from, own, sizeof(own) - 1);
	if (got < 0)
		return -1;
	own[got] = '\0';
	int length = ids_same(own, text, sizeof(text));
	errno = length < 0 ? E2BIG : errno;
	snprintf(path, sizeof(path), "/proc/%d/%s", (int)process, name);
	auto_close int to = length < 0 ? -1 : open(path, O_WRONLY | O_CLOEXEC);
	return to >= 0 && write(to, text, (size_t)length) == length ? 0 : -1;
}

int ids_map(pid_t process)
{
	return map_one(process, "uid_map") < 0 ? -1 : map_one(process, "gid_map");
}

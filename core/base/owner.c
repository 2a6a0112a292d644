/* base/owner.c - whose files are believed. */
#include "config.h"

#include "base/owner.h"

#include "base/cleanup.h"
#include "base/fd.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { UID_MAP_BYTES_MOST = 64 * 1024 };	/* of at most 340 lines */

/* Does the caller's user namespace know this user? Where nothing can be told it does. */
static bool has_a_name(uid_t owner)
{
	auto_free char *map = NULL;
	size_t bytes;
	if (fd_read_path("/proc/self/uid_map", UID_MAP_BYTES_MOST, &map, &bytes) < 0)
		return true;
	for (const char *line = map; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		unsigned long inside, outside, count;
		if (sscanf(line, "%lu %lu %lu", &inside, &outside, &count) != 3 ||
		    (owner >= inside && owner - inside < count))
			return true;
	}
	return false;
}

bool owner_is_trusted(uid_t owner)
{
	struct stat root;
	return owner == 0 || owner == geteuid() || (stat("/", &root) == 0 && owner == root.st_uid) ||
	       !has_a_name(owner);
}

/* tree/measure.c - how much room on disk a directory takes. */
#include "config.h"

#include "tree/measure.h"

#include "base/cleanup.h"
#include "base/list.h"
#include "base/path.h"
#include "tree/inside.h"
#include "tree/listing.h"
#include "tree/stamp.h"

#include <dirent.h>
#include <fcntl.h>

/* What one directory holds; the directories in it are added to those that are still to be measured. */
static uint64_t measure_one(int dir, const char *path, struct listing *listing, struct list *rest)
{
	uint64_t bytes = 0;
	auto_close int fd = inside_open(dir, path, O_RDONLY, INSIDE_ONE_MOUNT);
	if (fd < 0 || listing_read(listing, fd) < 0)
		return 0;
	for (size_t i = 0; i < listing->count; i++) {
		const char *name = listing->items[i].name;
		struct stamp stamp;
		if (stamp_read(fd, name, &stamp) < 0)
			continue;
		bool folder = S_ISDIR(stamp.mode);
		bytes += folder || stamp.links < 2 ? stamp.stored : stamp.stored / stamp.links;
		if (folder)
			list_addf(rest, "%s/%s", path, name);
	}
	return bytes;
}

uint64_t measure_bytes(int dir, const char *name)
{
	auto_list struct list rest = { 0 };
	struct listing listing = { 0 };
	uint64_t bytes = 0;
	if (list_add(&rest, name) < 0)
		return 0;
	while (rest.count > 0) {
		auto_free char *path = rest.items[--rest.count];
		rest.items[rest.count] = NULL;
		bytes += measure_one(dir, path, &listing, &rest);
	}
	listing_release(&listing);
	return bytes;
}

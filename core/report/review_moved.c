/* report/review_moved.c - the files and links that moved with a directory: git knows no directories. */
#include "config.h"

#include "report/review_parts.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/fd.h"
#include "base/list.h"
#include "base/path.h"
#include "tree/listing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

struct moving {
	const struct review_part *part;
	const struct change *change;
	struct list waiting;	/* directories, by their new names */
	int (*take)(void *context, const char *before, const char *after, uint32_t mode);
	void *context;
};

static int compare_path(const void *path, const void *change)
{
	return strcmp(path, ((const struct change *)change)->path);
}

/* Removed ones have old names: those say nothing of what is there now. */
static const struct change *find_own(const struct moving *moving, const char *path)
{
	const struct changes *changes = moving->part->changes;
	const struct change *end = changes->items + changes->count;
	const struct change *found = bsearch(path, changes->items, changes->count,
					     sizeof(changes->items[0]), compare_path);
	for (; found && found > changes->items && streq(found[-1].path, path); found--)
		;
	for (; found && found < end && streq(found->path, path); found++)
		if (found->kind != CHANGE_REMOVED)
			return found;
	return NULL;
}

static int take_entry(struct moving *moving, const char *path, const struct stamp *stamp)
{
	const struct change *own = find_own(moving, path);
	bool directory = S_ISDIR(stamp->mode);
	if (directory && own && own->kind != CHANGE_MODIFIED)
		return 0;
	if (directory)
		return list_add(&moving->waiting, path);
	if (own || !patch_mode(stamp->mode))
		return 0;
	auto_free char *before = path_join(moving->change->from, path + strlen(moving->change->path) + 1);
	return before ? moving->take(moving->context, before, path, stamp->mode) : -1;
}

/* What cannot be looked into is left out: nothing is said of it. */
static int take_directory(struct moving *moving, const char *path)
{
	auto_close int dir = fd_open_beneath(moving->part->held_fd, path, O_RDONLY | O_DIRECTORY, 0);
	struct listing listing = { 0 };
	int result = 0;
	if (dir < 0 || listing_read(&listing, dir) < 0)
		listing.count = 0;
	for (size_t i = 0; i < listing.count && result == 0; i++) {
		struct stamp stamp;
		auto_free char *entry = path_join(path, listing.items[i].name);
		if (!entry)
			result = -1;
		else if (stamp_read(dir, listing.items[i].name, &stamp) == 0)
			result = take_entry(moving, entry, &stamp);
	}
	listing_release(&listing);
	return result;
}

int review_moved(const struct review_part *part, const struct change *change,
		 int (*take)(void *context, const char *before, const char *after, uint32_t mode),
		 void *context, struct pinfold_error *err)
{
	struct moving moving = { .part = part, .change = change, .take = take, .context = context };
	int result = list_add(&moving.waiting, change->path);
	for (size_t i = 0; i < moving.waiting.count && result == 0; i++)
		result = take_directory(&moving, moving.waiting.items[i]);
	list_release(&moving.waiting);
	return result == 0 ? 0 : fault_no_memory(err);
}

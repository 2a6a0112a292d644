/* tree/twins.c - names of one file among the changes, and with what did not change. */
#include "config.h"

#include "tree/pairs.h"

#include "base/cleanup.h"
#include "tree/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

/* One name of a file that has several. */
struct twin {
	uint64_t inode;
	struct change *change;
	const char *elsewhere;	/* of the first of a file: a name of it that did not change, or NULL */
};

struct twins {
	struct twin *items;
	size_t count;
	struct arena *texts;
};

static int compare_twins(const void *a, const void *b)
{
	const struct twin *left = a, *right = b;
	if (left->inode != right->inode)
		return left->inode < right->inode ? -1 : 1;
	return strcmp(left->change->path, right->change->path);
}

static bool may_be_twin(const struct change *change)
{
	return change->after.kind == INDEX_FILE && change->after.stamp.links > 1 &&
	       change->kind != CHANGE_REMOVED;
}

static int gather(struct pairs *pairs, struct twins *twins)
{
	size_t count = 0;
	for (size_t i = 0; i < pairs->count; i++)
		count += may_be_twin(&pairs->items[i]);
	if (count == 0)
		return 0;
	twins->items = calloc(count, sizeof(*twins->items));
	if (!twins->items)
		return -1;
	for (size_t i = 0; i < pairs->count; i++)
		if (may_be_twin(&pairs->items[i]))
			twins->items[twins->count++] = (struct twin){
				pairs->items[i].after.stamp.inode, &pairs->items[i], NULL };
	qsort(twins->items, twins->count, sizeof(*twins->items), compare_twins);
	return 0;
}

/* The first twin of that inode. */
static struct twin *find_inode(const struct twins *twins, uint64_t inode)
{
	size_t low = 0, high = twins->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (twins->items[middle].inode < inode)
			low = middle + 1;
		else
			high = middle;
	}
	return low < twins->count && twins->items[low].inode == inode ? &twins->items[low] : NULL;
}

/* The folder of each entry. NULL when memory is gone. */
static uint32_t *find_folders(const struct index *base)
{
	uint32_t *folders = calloc(base->header->count, sizeof(*folders));
	for (uint32_t i = 0; folders && i < base->header->count; i++) {
		const struct index_entry *entry = &base->entries[i];
		for (uint32_t at = 0; entry->kind == INDEX_FOLDER && at < entry->children.count; at++)
			folders[entry->children.first + at] = i;
	}
	return folders;
}

static char *path_of(const struct index *base, const uint32_t *folders, uint32_t at,
		     struct arena *arena)
{
	size_t bytes = 0;
	for (uint32_t up = at; up > 0; up = folders[up])
		bytes += base->entries[up].name_bytes + 1u;
	char *path = arena_allocate(arena, bytes), *end = path + bytes;
	for (uint32_t up = at; path && up > 0; up = folders[up]) {
		const struct index_entry *entry = &base->entries[up];
		end -= entry->name_bytes + 1u;
		memcpy(end, index_name(base, entry), entry->name_bytes);
		end[entry->name_bytes] = up == at ? '\0' : '/';
	}
	return path;
}

static bool is_change(const struct twins *twins, const struct twin *first, const char *path)
{
	const struct twin *end = twins->items + twins->count;
	for (const struct twin *at = first; at < end && at->inode == first->inode; at++)
		if (streq(at->change->path, path))
			return true;
	return false;
}

/* Is it there, the same file? Its content is that of the base when its time is: who sets that back gets
 * a name of one file or of another, with the same content. */
static bool is_same_file(const struct pairs *pairs, const struct index_entry *old, const char *path)
{
	struct stamp now;
	auto_close int dir = pairs_open_parent(pairs->order->held_fd, path, INSIDE_ONE_MOUNT);
	return dir >= 0 && stamp_read(dir, pairs_last_name(path), &now) == 0 &&
	       now.inode == old->copy_inode && now.size == old->size && now.mtime == old->mtime;
}

static int find_unchanged(const struct pairs *pairs, struct twins *twins)
{
	const struct index *base = pairs->order->base;
	if (!base->memory)
		return 0;
	auto_free uint32_t *folders = find_folders(base);
	for (uint32_t i = 1; folders && i < base->header->count; i++) {
		const struct index_entry *old = &base->entries[i];
		struct twin *first = old->kind == INDEX_FILE ? find_inode(twins, old->copy_inode) : NULL;
		if (!first || first->elsewhere)
			continue;
		const char *path = path_of(base, folders, i, twins->texts);
		if (!path)
			return -1;
		if (!is_change(twins, first, path) && is_same_file(pairs, old, path))
			first->elsewhere = path;
	}
	return folders ? 0 : -1;
}

/* A file that was only renamed keeps the names it has in the tree. */
static bool wants_twin(const struct change *change)
{
	return change->kind == CHANGE_ADDED || change->kind == CHANGE_RETYPED ||
	       (change->kind == CHANGE_MODIFIED && change->what & CHANGED_CONTENT);
}

static void link_twins(const struct twins *twins)
{
	const char *name = NULL;
	for (size_t i = 0; i < twins->count; i++) {
		const struct twin *twin = &twins->items[i];
		bool first = i == 0 || twins->items[i - 1].inode != twin->inode;
		if (first)
			name = twin->elsewhere;
		if (name && wants_twin(twin->change))
			twin->change->linked = name;
		if (!name)
			name = twin->change->path;
	}
}

int twins_find(struct pairs *pairs)
{
	struct twins twins = { .texts = pairs->surveyor->survey->texts };
	int result = gather(pairs, &twins);
	if (result == 0 && twins.count > 0)
		result = find_unchanged(pairs, &twins);
	if (result == 0)
		link_twins(&twins);
	free(twins.items);
	return result < 0 ? survey_fail(pairs->surveyor, "", ENOMEM) : 0;
}

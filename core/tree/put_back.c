/* tree/put_back.c - single changes are dropped: what the tree has is put back, all else stays.
 *
 * In a copy what was changed is removed, and so is what the index knows of it: to the sync it is then
 * something new in the tree. In a layer what was changed is removed, and what lies below is seen again.
 */
#include "config.h"

#include "tree/put_back.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/fault.h"
#include "base/text.h"
#include "tree/inside.h"
#include "tree/pry.h"
#include "tree/refresh.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static const char action[] = "put back what was changed";

static int refuse(const char *path, int sys, struct pinfold_error *err)
{
	return fault(err, PINFOLD_E_TREE, sys, action, path,
		     "try again; where that does not help, discard the directory that it lies in");
}

/* The directory that `path` lies in (O_PATH), and its name there. */
static int open_parent(int held, const char *path, const char **ret_name)
{
	const char *slash = strrchr(path, '/');
	auto_free char *parent = strndup(path, slash ? (size_t)(slash - path) : 0);
	*ret_name = slash ? slash + 1 : path;
	return parent ? inside_open(held, parent, O_PATH, INSIDE_ONE_MOUNT) : -1;
}

static int remove_held(struct kept *kept, const struct kept_part *part, const char *path)
{
	const char *name;
	auto_close int dir = open_parent(part->held_fd, path, &name);
	if (dir < 0)
		return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
	return discard_entry(&kept->trash, dir, name);
}

/* A directory that the command removed is there again, empty: what else was in it stays removed. */
static int make_directory(const struct kept_part *part, const char *path)
{
	const char *name;
	const struct index_entry *old = index_find(&part->base, path);
	auto_close int dir = open_parent(part->held_fd, path, &name);
	if (dir < 0)
		return -1;
	if (mkdirat(dir, name, S_IRWXU) < 0)
		return errno == EEXIST ? 0 : -1;
	auto_close int made = inside_open(dir, name, O_PATH, INSIDE_ONE_MOUNT);
	return made < 0 ? -1 : old ? inside_set_mode(made, old->mode & 07777) : 0;
}

static int make_parents(const struct kept_part *part, const char *path)
{
	auto_free char *up_to = strdup(path);
	for (char *slash = up_to ? strchr(up_to, '/') : NULL; slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (make_directory(part, up_to) < 0)
			return -1;
		*slash = '/';
	}
	return up_to ? 0 : -1;
}

/* Only the mode of a directory: what lies in it is not touched for that. */
static bool is_mode_of_folder(const struct change *change)
{
	return change->kind == CHANGE_MODIFIED && change->after.kind == INDEX_FOLDER &&
	       (change->what == CHANGED_MODE || !change->path[0]);
}

static int put_mode_back(const struct kept_part *part, const struct change *change)
{
	auto_close int fd = inside_open(part->held_fd, change->path, O_PATH, INSIDE_ONE_MOUNT);
	return fd < 0 ? -1 : inside_set_mode(fd, change->before.stamp.mode & 07777);
}

/* --- the index of a copy -------------------------------------------------------------------------- */
static void drop(const struct index *index, bool *dropped, const char *path)
{
	const struct index_entry *entry = path && path[0] ? index_find(index, path) : NULL;
	if (entry)
		dropped[entry - index->entries] = true;
}

/* What lies in a dropped directory is dropped; its own children come later. */
static void drop_below(const struct index *index, bool *dropped)
{
	for (uint32_t i = 0; i < index->header->count; i++) {
		const struct index_entry *entry = &index->entries[i];
		for (uint32_t j = 0; dropped[i] && entry->kind == INDEX_FOLDER && j < entry->children.count; j++)
			dropped[entry->children.first + j] = true;
	}
}

static void write_entries(struct index_writer *writer, const struct index *index, const bool *dropped)
{
	uint32_t next = 1;
	for (uint32_t i = 0; i < index->header->count; i++) {
		struct index_entry entry = index->entries[i];
		if (dropped[i])
			continue;
		if (entry.kind == INDEX_FOLDER) {
			uint32_t count = 0;
			for (uint32_t j = 0; j < entry.children.count; j++)
				count += !dropped[entry.children.first + j];
			/* The tree has a name that the index has not, and the copy still may: they are to be
			 * listed. */
			if (count < entry.children.count) {
				entry.ctime = 0;
				entry.flags |= INDEX_FURTHER;
			}
			entry.children.first = next;
			entry.children.count = count;
			next += count;
		}
		entry.name = i > 0 ? (uint32_t)writer->header.name_bytes : entry.name;
		writer->header.name_bytes += i > 0 ? entry.name_bytes + 1u : 0;
		writer->header.count++;
		index_add_entry(writer, &entry);
	}
}

static int write_index(const struct kept_part *part, const bool *dropped)
{
	struct index_writer writer = { 0 };
	const struct index *index = &part->base;
	if (index_begin(&writer, part->slot_fd, SLOT_INDEX_NEXT) < 0)
		return -1;
	writer.header.tree = index->header->tree;
	writer.header.copy_device = index->header->copy_device;
	writer.header.began = index->header->began;
	writer.header.ended = index->header->ended;
	write_entries(&writer, index, dropped);
	for (uint32_t i = 1; i < index->header->count; i++)
		if (!dropped[i])
			index_add_name(&writer, index_name(index, &index->entries[i]),
				       index->entries[i].name_bytes);
	if (index_end(&writer) < 0)
		return -1;
	return renameat(part->slot_fd, SLOT_INDEX_NEXT, part->slot_fd, SLOT_INDEX);
}

static int forget(const struct kept_part *part, const struct changes *changes, struct pinfold_error *err)
{
	const struct index *index = &part->base;
	auto_free bool *dropped = calloc(index->header->count, sizeof(*dropped));
	if (!dropped)
		return fault_no_memory(err);
	for (size_t i = 0; i < changes->count; i++) {
		if (is_mode_of_folder(&changes->items[i]))
			continue;
		drop(index, dropped, changes->items[i].path);
		drop(index, dropped, changes->items[i].from);
	}
	drop_below(index, dropped);
	return write_index(part, dropped) < 0 ? refuse(part->path, errno, err) : 0;
}

/* --- both kinds ----------------------------------------------------------------------------------- */
static int put_in_place(struct kept *kept, const struct kept_part *part, const struct change *change)
{
	int result;
	if (is_mode_of_folder(change))
		result = put_mode_back(part, change);
	else
		result = remove_held(kept, part, change->path);
	if (result == 0 && part->layer && change->from)
		result = remove_held(kept, part, change->from);
	if (result == 0 && !part->layer && change->before.kind != CHANGE_NOTHING)
		result = make_parents(part, change_old_path(change));
	return result;
}

/* The command may have left directories in which nothing can be changed. */
static int put_one(struct kept *kept, const struct kept_part *part, const struct change *change,
		   struct pinfold_error *err)
{
	struct pried pried = { 0 };
	struct arena *arena = arena_new();
	if (!arena)
		return fault_no_memory(err);
	int result = pry_way(&pried, arena, part->held_fd, change->path);
	if (result == 0)
		result = pry_way(&pried, arena, part->held_fd, change_old_path(change));
	if (result == 0)
		result = put_in_place(kept, part, change);
	int failure = errno;
	pry_close_again(&pried, part->held_fd);
	arena_free(arena);
	return result < 0 ? refuse(change->path, failure, err) : 0;
}

/* In a directory that was removed or made anew as a whole, what was there is not seen again. */
static int check_paths(const struct kept_part *part, const char *const *paths, struct pinfold_error *err)
{
	struct changes_order order = {
		.place = part->path, .place_fd = part->place_fd, .held_fd = part->held_fd, .layer = true,
		.base = &part->base, .paths = paths, .processors = 1,
	};
	struct changes left;
	if (changes_find(&order, &left, err) < 0)
		return -1;
	int result = 0;
	if (left.count > 0)
		result = fault(err, PINFOLD_E_TREE, 0, action, left.items[0].path,
			       "it lies in a directory that the command removed or made anew: put that "
			       "directory back");
	changes_release(&left);
	return result;
}

static int settle(struct kept *kept, struct kept_part *part, const struct changes *changes,
		  struct pinfold_error *err)
{
	auto_free const char **paths = calloc(changes->count + 1, sizeof(*paths));
	if (!paths)
		return fault_no_memory(err);
	for (size_t i = 0; i < changes->count; i++)
		paths[i] = change_old_path(&changes->items[i]);
	if (refresh_layers(&kept->slot, kept->tree, stamp_now(), err) < 0)
		return -1;
	index_release(&part->base);
	index_load(part->slot_fd, SLOT_INDEX, &part->base);
	bool top = !paths[0][0];
	return check_paths(part, top ? NULL : paths, err);
}

int put_back(struct kept *kept, struct kept_part *part, const struct changes *changes,
	     struct pinfold_error *err)
{
	if (changes->count == 0)
		return 0;
	if (!part->layer && !part->base.memory)
		return fault(err, PINFOLD_E_SESSION, 0, action, part->path,
			     "the record of what it began with is damaged: discard all of it");
	if (!part->layer && forget(part, changes, err) < 0)
		return -1;
	for (size_t i = 0; i < changes->count; i++)
		if (put_one(kept, part, &changes->items[i], err) < 0)
			return -1;
	return part->layer ? settle(kept, part, changes, err) : kept_sync(kept, err);
}

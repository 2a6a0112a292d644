/* tree/record.c - what is known after a sync, written for the next. */
#include "config.h"

#include "tree/folder.h"

#include <errno.h>
#include <stdlib.h>

static const struct index_entry *entries_of(const struct mirror *mirror, const struct folder *folder,
					    uint32_t *ret_count, const char **ret_names)
{
	const struct index *old = mirror->order->old;
	*ret_count = folder->count;
	*ret_names = folder->names;
	if (folder->entries || folder->vanished || folder->old == FOLDER_NEW)
		return folder->entries;
	*ret_count = old->entries[folder->old].children.count;
	*ret_names = old->names;
	return &old->entries[old->entries[folder->old].children.first];
}

/* All folders, those of one level before those of the next. NULL when memory is gone. */
static struct folder **in_order(struct mirror *mirror, size_t *ret_count)
{
	size_t count = 1, room = 64;
	struct folder **order = malloc(room * sizeof(struct folder *));
	if (order)
		order[0] = &mirror->root;
	for (size_t at = 0; order && at < count; at++) {
		for (struct folder *child = order[at]->first_child; child; child = child->next_sibling) {
			if (count == room) {
				struct folder **more =
					reallocarray(order, room *= 2, sizeof(struct folder *));
				if (!more)
					free(order);
				order = more;
				if (!order)
					return NULL;
			}
			order[count++] = child;
		}
	}
	*ret_count = count;
	return order;
}

static void fill_from_folder(const struct mirror *mirror, struct index_entry *entry,
			     const struct folder *folder, uint32_t *next)
{
	const char *names = NULL;
	uint32_t count = 0;
	entries_of(mirror, folder, &count, &names);
	entry->kind = INDEX_FOLDER;
	entry->identity = stamp_identity(&folder->source);
	entry->mtime = folder->source.mtime;
	entry->ctime = folder->source.ctime;
	entry->mode = folder->source.mode;
	entry->copy_inode = folder->copy.inode;
	entry->copy_ctime = folder->copy.ctime;
	entry->copy_mode = folder->copy.mode;
	entry->children.first = *next;
	entry->children.count = count;
	*next += count;
}

/* A file with several names has its last ctime only when the last name is made. */
static void fill_from_links(const struct mirror *mirror, struct index_entry *entry)
{
	const struct link_group *group =
		entry->flags & INDEX_SHARED ? links_find(&mirror->links, entry->copy_inode) : NULL;
	if (group && group->copy_ctime != 0)
		entry->copy_ctime = group->copy_ctime;
}

static void add_entries(struct mirror *mirror, struct index_writer *writer, struct folder *folder,
			uint32_t *next, uint32_t *place)
{
	const char *names = NULL;
	uint32_t count = 0;
	const struct index_entry *entries = entries_of(mirror, folder, &count, &names);
	const struct folder *child = folder->first_child;
	for (uint32_t i = 0; i < count; i++) {
		struct index_entry entry = entries[i];
		if (entry.kind == INDEX_FOLDER && child) {
			fill_from_folder(mirror, &entry, child, next);
			child = child->next_sibling;
		}
		fill_from_links(mirror, &entry);
		entry.name = *place;
		*place += entry.name_bytes + 1u;
		index_add_entry(writer, &entry);
	}
}

static void add_names(struct mirror *mirror, struct index_writer *writer, struct folder *folder)
{
	const char *names = NULL;
	uint32_t count = 0;
	const struct index_entry *entries = entries_of(mirror, folder, &count, &names);
	for (uint32_t i = 0; i < count; i++)
		index_add_name(writer, names + entries[i].name, entries[i].name_bytes);
}

int record_write(struct mirror *mirror, const char *name)
{
	struct index_writer writer = { .fd = -1 };
	size_t count = 0;
	struct folder **order = in_order(mirror, &count);
	if (!order || index_begin(&writer, mirror->order->slot_fd, name) < 0) {
		free(order);
		return -1;
	}
	struct index_entry root = { 0 };
	uint32_t next = 1, place = 0;
	fill_from_folder(mirror, &root, &mirror->root, &next);
	index_add_entry(&writer, &root);
	for (size_t i = 0; i < count; i++)
		add_entries(mirror, &writer, order[i], &next, &place);
	for (size_t i = 0; i < count; i++)
		add_names(mirror, &writer, order[i]);
	free(order);
	writer.header.tree = stamp_identity(&mirror->root.source);
	writer.header.copy_device = mirror->root.copy.device;
	writer.header.began = mirror->began;
	writer.header.ended = stamp_now();
	writer.header.count = next;
	writer.header.name_bytes = place;
	return index_end(&writer);
}

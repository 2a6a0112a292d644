/* tree/record.c - what is known after a sync, written for the next. */
#include "config.h"

#include "tree/amend.h"
#include "tree/bond.h"
#include "tree/record.h"

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
			if (child->vanished)
				continue;
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

/* The copy's is the command's, the base is as it was. */
static void keep_mode(const struct mirror *mirror, struct index_entry *entry, const struct folder *folder)
{
	const struct index_entry *old = &mirror->order->old->entries[folder->old];
	entry->mode = old->mode;
	entry->copy_mode = old->copy_mode;
	index_mark_changed(entry);
}

void record_fill_folder(const struct mirror *mirror, struct index_entry *entry,
			const struct folder *folder, uint32_t *next)
{
	const char *names = NULL;
	uint32_t count = 0;
	entries_of(mirror, folder, &count, &names);
	for (const struct folder *child = folder->first_child; child; child = child->next_sibling)
		count -= child->vanished;
	entry->kind = INDEX_FOLDER;
	entry->children.first = *next;
	entry->children.count = count;
	*next += count;
	if (folder->retained || folder->hollow)
		return;
	entry->identity = stamp_identity(&folder->source);
	entry->mtime = folder->source.mtime;
	entry->ctime = folder->source.ctime;
	entry->mode = folder->source.mode;
	entry->copy_inode = folder->copy.inode;
	entry->copy_ctime = folder->copy.ctime;
	entry->copy_mode = folder->copy.mode;
	if (folder->unlisted)
		entry->ctime = 0;
	entry->flags &= (uint8_t)~INDEX_FURTHER;
	if (folder->further && mirror->order->keep_changes)
		entry->flags |= INDEX_FURTHER;
	if (folder->keeps_mode)
		keep_mode(mirror, entry, folder);
}

/* A file with several names has its last ctime only when the last name is made. */
static void fill_from_links(const struct mirror *mirror, struct index_entry *entry)
{
	const struct link_group *group =
		entry->flags & INDEX_SHARED && entry->copy_ctime > 0 ? links_find(&mirror->links, entry->copy_inode) : NULL;
	if (group && group->copy_ctime != 0)
		entry->copy_ctime = group->copy_ctime;
}

/* Until its time was in no doubt, what the tree had was in the index with it. */
static void mark_unsure(const struct mirror *mirror, struct index_entry *entry)
{
	if (entry->kind != INDEX_FOLDER && stamp_is_young(entry->ctime, mirror->order->old->header->began))
		entry->flags |= INDEX_UNSURE;
	index_mark_changed(entry);
}

/* The entries that are written: the folders below whose directory is gone are not. */
struct writing {
	const struct index_entry *entries;
	const char *names;
	uint32_t count, at;
	const struct folder *child;
};

static struct writing begin_writing(const struct mirror *mirror, const struct folder *folder)
{
	struct writing writing = { .child = folder->first_child };
	writing.entries = entries_of(mirror, folder, &writing.count, &writing.names);
	return writing;
}

static bool write_next(struct writing *writing, const struct index_entry **ret_entry,
		       const struct folder **ret_child)
{
	while (writing->at < writing->count) {
		const struct index_entry *entry = &writing->entries[writing->at++];
		const struct folder *child = entry->kind == INDEX_FOLDER ? writing->child : NULL;
		if (child)
			writing->child = child->next_sibling;
		if (child && child->vanished)
			continue;
		*ret_entry = entry;
		*ret_child = child;
		return true;
	}
	return false;
}

static void add_entries(struct mirror *mirror, struct index_writer *writer, struct folder *folder,
			uint32_t *next, uint32_t *place)
{
	struct writing writing = begin_writing(mirror, folder);
	const struct index_entry *found;
	for (const struct folder *child; write_next(&writing, &found, &child);) {
		struct index_entry entry = *found;
		if (folder->retained)
			mark_unsure(mirror, &entry);
		if (child)
			record_fill_folder(mirror, &entry, child, next);
		fill_from_links(mirror, &entry);
		entry.name = *place;
		*place += entry.name_bytes + 1u;
		index_add_entry(writer, &entry);
	}
}

static void add_names(struct mirror *mirror, struct index_writer *writer, struct folder *folder)
{
	struct writing writing = begin_writing(mirror, folder);
	const struct index_entry *found;
	for (const struct folder *child; write_next(&writing, &found, &child);)
		index_add_name(writer, writing.names + found->name, found->name_bytes);
}

/* Whatever is changed from now on has a later time than all that was looked at, so nothing of that is too
 * young to be trusted: in a session a file that may have been changed could not follow the tree. What this
 * returns says so. At most a tick of the kernel's clock is waited for. */
static int64_t let_time_pass(void)
{
	int64_t began = stamp_now();
	struct timespec now, pause = { .tv_nsec = 500000 };
	for (int tries = 0; tries < 100; tries++) {
		clock_gettime(CLOCK_REALTIME_COARSE, &now);
		if ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec > began)
			return stamp_now() + STAMP_TICK;
		nanosleep(&pause, NULL);
	}
	return stamp_now();
}

int record_write(struct mirror *mirror, const char *name)
{
	struct index_writer writer = { .fd = -1, .durable = mirror->order->keep_changes };
	size_t count = 0;
	struct folder **order = in_order(mirror, &count);
	if (order && amend_write(mirror, order, count) == 0) {
		free(order);
		return 0;
	}
	if (!order || index_begin(&writer, mirror->order->slot_fd, name) < 0) {
		free(order);
		return -1;
	}
	struct index_entry root = { 0 };
	uint32_t next = 1, place = 0;
	record_fill_folder(mirror, &root, &mirror->root, &next);
	index_add_entry(&writer, &root);
	for (size_t i = 0; i < count; i++)
		add_entries(mirror, &writer, order[i], &next, &place);
	for (size_t i = 0; i < count; i++)
		add_names(mirror, &writer, order[i]);
	free(order);
	writer.header.tree = stamp_identity(&mirror->root.source);
	writer.header.bond = bond_of(mirror->order->tree_fd);
	writer.header.copy_device = mirror->root.copy.device;
	writer.header.began = mirror->began;
	writer.header.ended = mirror->order->keep_changes ? let_time_pass() : stamp_now();
	writer.header.count = next;
	writer.header.name_bytes = place;
	return index_end(&writer);
}

/* tree/put_back_forget.c - the index of a copy forgets what is to be put back. */
#include "config.h"

#include "tree/put_back.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "tree/remedy.h"

#include <errno.h>
#include <stdio.h>

int put_back_refuse(const char *path, int slot_fd, int sys, struct pinfold_error *err)
{
	struct remedy remedy;
	return fault(err, PINFOLD_E_TREE, sys, PUT_BACK_ACTION, path,
		     remedy_in(&remedy, slot_fd, "", sys, "check the scratch directory",
			       ", and try again; where that does not help, discard the directory that it lies in"));
}

bool put_back_is_mode(const struct change *change)
{
	return change->kind == CHANGE_MODIFIED && change->after.kind == INDEX_FOLDER &&
	       (change->what == CHANGED_MODE || !change->path[0]);
}

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
	struct index_writer writer = { .durable = true };
	const struct index *index = &part->base;
	if (index_begin(&writer, part->slot_fd, SLOT_INDEX_NEXT) < 0)
		return -1;
	writer.header.tree = index->header->tree;
	writer.header.bond = index->header->bond;
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

int put_back_forget(const struct kept_part *part, const struct changes *changes, struct pinfold_error *err)
{
	const struct index *index = &part->base;
	auto_free bool *dropped = calloc(index->header->count, sizeof(*dropped));
	if (!dropped)
		return fault_no_memory(err);
	for (size_t i = 0; i < changes->count; i++) {
		if (put_back_is_mode(&changes->items[i]))
			continue;
		drop(index, dropped, changes->items[i].path);
		drop(index, dropped, changes->items[i].from);
	}
	drop_below(index, dropped);
	return write_index(part, dropped) < 0 ? put_back_refuse(part->path, part->slot_fd, errno, err) : 0;
}

/* tree/amend.c - what is known after a sync, written over what was known before it. */
#include "config.h"

#include "tree/amend.h"

#include "base/cleanup.h"
#include "tree/bond.h"
#include "tree/record.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* The index in memory, and the pages of its file that differ from that. */
struct amendment {
	const struct index *index;
	struct index_header *header;
	struct index_entry *entries;
	size_t bytes;
	bool *pages;
};

static size_t page_count(const struct amendment *amendment)
{
	return (amendment->bytes + PAGE - 1) / PAGE;
}

static void mark(struct amendment *amendment, const void *from, size_t bytes)
{
	size_t at = (size_t)((const char *)from - (const char *)amendment->header);
	for (size_t page = at / PAGE; page <= (at + bytes - 1) / PAGE; page++)
		amendment->pages[page] = true;
}

static void put(struct amendment *amendment, struct index_entry *entry, const struct index_entry *wanted)
{
	if (memcmp(entry, wanted, sizeof(*entry)) == 0)
		return;
	*entry = *wanted;
	mark(amendment, entry, sizeof(*entry));
}

/* The same names, and folders where there were folders: every entry stays where it is. */
static bool has_old_names(const struct index *old, const struct folder *folder)
{
	const struct index_entry *known = &old->entries[folder->old];
	const struct folder *child = folder->first_child;
	if (folder->entries && folder->count != known->children.count)
		return false;
	for (uint32_t i = 0; i < known->children.count; i++) {
		const struct index_entry *before = &old->entries[known->children.first + i];
		const struct index_entry *now = folder->entries ? &folder->entries[i] : before;
		if (now->kind != before->kind || now->name_bytes != before->name_bytes ||
		    (folder->entries && memcmp(folder->names + now->name, index_name(old, before), now->name_bytes) != 0))
			return false;
		if (now->kind != INDEX_FOLDER)
			continue;
		if (!child || child->vanished || child->old != known->children.first + i)
			return false;
		child = child->next_sibling;
	}
	return !child;
}

/* A file with several names may have changed under a name that nobody looked at. */
static bool may_be_amended(const struct mirror *mirror, struct folder *const *folders, size_t count)
{
	if (!mirror->order->old_name || !mirror->order->old || mirror->links.count > 0 ||
	    mirror->root.old == FOLDER_NEW)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!has_old_names(mirror->order->old, folders[i]))
			return false;
	return true;
}

/* Those above come before, so a folder's own entry is there when its turn comes. */
static void amend_folder(struct amendment *amendment, const struct mirror *mirror, const struct folder *folder)
{
	struct index_entry *own = &amendment->entries[folder->old], wanted = *own;
	uint32_t first = own->children.first;
	for (uint32_t i = 0; folder->entries && i < folder->count; i++) {
		struct index_entry *entry = &amendment->entries[first + i], now = folder->entries[i];
		now.name = entry->name;
		put(amendment, entry, &now);
	}
	record_fill_folder(mirror, &wanted, folder, &first);
	put(amendment, own, &wanted);
}

static void amend_header(struct amendment *amendment, const struct mirror *mirror)
{
	amendment->header->bond = bond_of(mirror->order->tree_fd);
	amendment->header->began = mirror->began;
	amendment->header->ended = stamp_now();
	amendment->header->checksum = index_sum(amendment->index);
	mark(amendment, amendment->header, sizeof(*amendment->header));
}

/* A command that is not confined may have put something else there, or given it another name. */
static int open_file(const struct mirror_order *order, size_t bytes)
{
	struct stat found;
	auto_close int fd = openat(order->slot_fd, order->old_name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &found) < 0 || !S_ISREG(found.st_mode) || found.st_nlink != 1 ||
	    (uint64_t)found.st_size != bytes)
		return -1;
	return take_fd(&fd);
}

static int write_pages(const struct amendment *amendment, int fd, size_t from, size_t to)
{
	size_t at = from * PAGE, end = to * PAGE < amendment->bytes ? to * PAGE : amendment->bytes;
	while (at < end) {
		ssize_t put = pwrite(fd, (const char *)amendment->header + at, end - at, (off_t)at);
		if (put <= 0)
			return -1;
		at += (size_t)put;
	}
	return 0;
}

static int write_changed(const struct amendment *amendment, int fd)
{
	size_t count = page_count(amendment);
	for (size_t page = 0; page < count; page++) {
		size_t from = page;
		while (page < count && amendment->pages[page])
			page++;
		if (page > from && write_pages(amendment, fd, from, page) < 0)
			return -1;
	}
	return 0;
}

int amend_write(struct mirror *mirror, struct folder *const *folders, size_t count)
{
	if (!may_be_amended(mirror, folders, count))
		return -1;
	const struct index *old = mirror->order->old;
	struct index_header *header = old->memory;
	struct amendment amendment = {
		.index = old, .header = header, .entries = (struct index_entry *)(header + 1),
		.bytes = sizeof(*header) + header->count * sizeof(struct index_entry) + header->name_bytes,
	};
	auto_free bool *pages = amendment.pages = calloc(page_count(&amendment), sizeof(*pages));
	auto_close int fd = pages ? open_file(mirror->order, amendment.bytes) : -1;
	if (fd < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		amend_folder(&amendment, mirror, folders[i]);
	amend_header(&amendment, mirror);
	return write_changed(&amendment, fd);
}

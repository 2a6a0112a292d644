/* tree/listing.c - the names in a directory, sorted by their bytes. */
#include "config.h"

#include "tree/listing.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int listing_compare(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
	size_t shared = a_bytes < b_bytes ? a_bytes : b_bytes;
	int order = memcmp(a, b, shared);
	if (order != 0)
		return order;
	return a_bytes == b_bytes ? 0 : a_bytes < b_bytes ? -1 : 1;
}

static int compare_items(const void *a, const void *b)
{
	const struct listed *left = a, *right = b;
	return listing_compare(left->name, left->bytes, right->name, right->bytes);
}

void listing_clear(struct listing *listing)
{
	listing->count = 0;
	listing->used = 0;
}

void listing_release(struct listing *listing)
{
	free(listing->items);
	free(listing->names);
	*listing = (struct listing){ 0 };
}

static struct listed *one_more(struct listing *listing)
{
	if (listing->count == listing->room) {
		size_t room = listing->room ? listing->room * 2 : 64;
		struct listed *items = reallocarray(listing->items, room, sizeof(*items));
		if (!items)
			return NULL;
		listing->items = items;
		listing->room = room;
	}
	return &listing->items[listing->count++];
}

int listing_add(struct listing *listing, const char *name, size_t bytes)
{
	struct listed *item = one_more(listing);
	if (!item)
		return -1;
	*item = (struct listed){ .name = name, .bytes = (uint16_t)bytes };
	return 0;
}

static int copy_name(struct listing *listing, const char *name, size_t bytes, uint32_t *ret_place)
{
	if (listing->name_room - listing->used < bytes + 1) {
		size_t room = listing->name_room ? listing->name_room * 2 : 4096;
		char *names = room > UINT32_MAX ? NULL : realloc(listing->names, room);
		if (!names)
			return -1;
		listing->names = names;
		listing->name_room = room;
	}
	memcpy(listing->names + listing->used, name, bytes + 1);
	*ret_place = (uint32_t)listing->used;
	listing->used += bytes + 1;
	return 0;
}

static int add_found(struct listing *listing, const struct dirent64 *found)
{
	size_t bytes = strlen(found->d_name);
	if (found->d_name[0] == '.' && (bytes == 1 || (bytes == 2 && found->d_name[1] == '.')))
		return 0;
	uint32_t place = 0;
	if (copy_name(listing, found->d_name, bytes, &place) < 0)
		return -1;
	struct listed *item = one_more(listing);
	if (!item)
		return -1;
	*item = (struct listed){ .place = place, .bytes = (uint16_t)bytes, .type = found->d_type };
	return 0;
}

int listing_read(struct listing *listing, int fd)
{
	_Alignas(struct dirent64) char room[32768];
	listing_clear(listing);
	if (lseek(fd, 0, SEEK_SET) < 0)
		return -1;
	for (;;) {
		ssize_t got = getdents64(fd, room, sizeof(room));
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		for (ssize_t at = 0; at < got;) {
			const struct dirent64 *found = (const struct dirent64 *)(room + at);
			if (add_found(listing, found) < 0)
				return -1;
			at += found->d_reclen;
		}
	}
	for (size_t i = 0; i < listing->count; i++)
		listing->items[i].name = listing->names + listing->items[i].place;
	if (listing->count > 1)
		qsort(listing->items, listing->count, sizeof(*listing->items), compare_items);
	return 0;
}

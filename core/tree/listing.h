/* tree/listing.h - the names in a directory, sorted by their bytes. */
#ifndef TREE_LISTING_H
#define TREE_LISTING_H

#include <stddef.h>
#include <stdint.h>

struct listed {
	const char *name;
	uint32_t place;		/* of the name among the bytes, while these still move */
	uint16_t bytes;
	uint8_t type;		/* DT_…, or DT_UNKNOWN */
};

/* Reused from directory to directory; zero is empty. */
struct listing {
	struct listed *items;
	size_t count, room;
	char *names;
	size_t used, name_room;
};

/* Reads all of the directory open at `fd`, from its start. 0, or -1 with errno. */
int listing_read(struct listing *listing, int fd);
void listing_clear(struct listing *listing);
/* Adds a name that stays where it is: for lists that come from elsewhere, in order. */
int listing_add(struct listing *listing, const char *name, size_t bytes);
void listing_release(struct listing *listing);

/* As memcmp over both names, the shorter first. */
int listing_compare(const char *a, size_t a_bytes, const char *b, size_t b_bytes);

#endif

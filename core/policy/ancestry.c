/* policy/ancestry.c - which kinds of paths lie around a path. */
#include "policy/ancestry.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t hash_start = 0xcbf29ce484222325u;

static uint64_t hash_byte(uint64_t hash, char byte)
{
	return (hash ^ (unsigned char)byte) * 0x100000001b3u;
}

int ancestry_make(struct ancestry *ret_ancestry, size_t most)
{
	size_t room = 64;
	while (room < 2 * most)
		room *= 2;
	ret_ancestry->rows = calloc(room, sizeof(*ret_ancestry->rows));
	ret_ancestry->mask = room - 1;
	return ret_ancestry->rows ? 0 : -1;
}

static struct ancestry_row *find(const struct ancestry *ancestry, uint64_t hash, const char *path,
				 size_t length)
{
	size_t at = hash ^ hash >> 32;
	for (;; at++) {
		struct ancestry_row *row = &ancestry->rows[at & ancestry->mask];
		if (!row->path || (row->length == length && memcmp(row->path, path, length) == 0))
			return row;
	}
}

void ancestry_add(struct ancestry *ancestry, const char *path, uint32_t kind, uint32_t hard)
{
	uint64_t hash = hash_start;
	size_t length = path[1] ? strlen(path) : 0;	/* the root is what precedes the first slash */
	for (size_t i = 0; i < length; i++)
		hash = hash_byte(hash, path[i]);
	struct ancestry_row *row = find(ancestry, hash, path, length);
	row->path = path;
	row->length = length;
	row->kinds.any |= 1u << kind;
	row->kinds.hard |= hard ? 1u << kind : 0;
}

struct ancestry_kinds ancestry_around(const struct ancestry *ancestry, const char *path)
{
	struct ancestry_kinds kinds = find(ancestry, hash_start, path, 0)->kinds;
	uint64_t hash = hash_start;
	for (size_t i = 0; path[i]; i++) {
		hash = hash_byte(hash, path[i]);
		if (path[i + 1] != '/' && path[i + 1] != '\0')
			continue;
		const struct ancestry_row *row = find(ancestry, hash, path, i + 1);
		kinds.any |= row->kinds.any;
		kinds.hard |= row->kinds.hard;
	}
	return kinds;
}

void ancestry_release(struct ancestry *ancestry)
{
	free(ancestry->rows);
	*ancestry = (struct ancestry){ 0 };
}

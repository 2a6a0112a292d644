/* base/arena.c - memory that is released all at once. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block {
	struct block *next;
	size_t used, room;
	alignas(max_align_t) char data[];
};

struct arena {
	struct block *blocks;
};

enum { BLOCK_ROOM = 4096 };

struct arena *arena_new(void)
{
	return calloc(1, sizeof(struct arena));
}

void arena_free(struct arena *arena)
{
	if (!arena)
		return;
	for (struct block *block = arena->blocks, *next; block; block = next) {
		next = block->next;
		free(block);
	}
	free(arena);
}

static struct block *block_with(struct arena *arena, size_t bytes)
{
	struct block *first = arena->blocks;
	if (first && first->room - first->used >= bytes)
		return first;
	size_t room = bytes > BLOCK_ROOM ? bytes : BLOCK_ROOM;
	struct block *block = calloc(1, sizeof(*block) + room);
	if (!block)
		return NULL;
	block->room = room;
	block->next = first;
	arena->blocks = block;
	return block;
}

void *arena_allocate(struct arena *arena, size_t bytes)
{
	size_t unit = alignof(max_align_t);
	if (bytes > SIZE_MAX / 2)
		return NULL;
	bytes = (bytes + unit - 1) / unit * unit;
	struct block *block = block_with(arena, bytes);
	if (!block)
		return NULL;
	void *memory = block->data + block->used;
	block->used += bytes;
	return memory;
}

char *arena_copy(struct arena *arena, const char *text)
{
	size_t bytes = strlen(text) + 1;
	char *copy = arena_allocate(arena, bytes);
	return copy ? memcpy(copy, text, bytes) : NULL;
}

char *arena_join(struct arena *arena, const char *first, const char *second)
{
	size_t length = strlen(first), bytes = strlen(second) + 1;
	char *joined = arena_allocate(arena, length + bytes);
	if (!joined)
		return NULL;
	memcpy(joined, first, length);
	memcpy(joined + length, second, bytes);
	return joined;
}

/* Most texts are short: they are formatted once, and copied. */
char *arena_printv(struct arena *arena, const char *format, va_list list)
{
	char brief[256];
	va_list again;
	va_copy(again, list);
	int length = vsnprintf(brief, sizeof(brief), format, list);
	char *text = length < 0 ? NULL : arena_allocate(arena, (size_t)length + 1);
	if (text && (size_t)length < sizeof(brief))
		memcpy(text, brief, (size_t)length + 1);
	else if (text)
		vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

char *arena_print(struct arena *arena, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	char *text = arena_printv(arena, format, list);
	va_end(list);
	return text;
}

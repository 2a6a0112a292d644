/* base/text.h - strings: comparing, building, and the nearest known name. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define N_ELEMENTS(array) (sizeof(array) / sizeof((array)[0]))

static inline bool streq(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

static inline bool starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool ends_with(const char *text, const char *suffix);

/* A growing string. Zero is empty; after a failed allocation it stays `failed` and ignores more. */
struct text {
	char *data;
	size_t length, room;
	bool failed;
};

void text_add(struct text *text, const char *more);
void text_add_bytes(struct text *text, const void *more, size_t bytes);
void text_addf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_addv(struct text *text, const char *format, va_list list)
	__attribute__((format(printf, 2, 0)));
/* The string (never NULL unless memory failed), now the caller's to free. */
char *text_take(struct text *text);
void text_release(struct text *text);

/* "a", "a and b", "a, b, and c"; "nothing" for none. Appended to `text`. */
void text_add_enumeration(struct text *text, const char *const *items, size_t count);

/* Appends `bytes` for a person's eyes: what is not printable UTF-8 becomes \xNN, a newline \n. */
void text_add_quoted(struct text *text, const char *bytes);

/* 1204551 as "1,204,551" into `room` (at least 32 bytes); returns `room`. */
const char *text_grouped(uint64_t number, char *room);

/* The name nearest to `wanted` among `count` names, or NULL when none is near. */
const char *text_nearest(const char *wanted, const char *const *names, size_t count);

#endif

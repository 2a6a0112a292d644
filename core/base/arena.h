/* base/arena.h - memory that is released all at once. Not for two threads at a time. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *arena);
/* Zeroed, aligned for any type; NULL when memory is gone. */
void *arena_allocate(struct arena *arena, size_t bytes);
char *arena_copy(struct arena *arena, const char *text);
/* One text after the other. */
char *arena_join(struct arena *arena, const char *first, const char *second);
char *arena_print(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
char *arena_printv(struct arena *arena, const char *format, va_list list)
	__attribute__((format(printf, 2, 0)));

#endif

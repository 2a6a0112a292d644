/* macos/memory.c - allocation, searching and chance, as the rest of the core asks for them. */
#include "config.h"

#include <crt_externs.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

char **mac_environ(void)
{
	return *_NSGetEnviron();
}

void *reallocarray(void *old, size_t count, size_t bytes)
{
	size_t all;
	if (__builtin_mul_overflow(count, bytes, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(old, all);
}

#undef mempcpy
void *mempcpy(void *to, const void *from, size_t bytes)
{
	return (char *)memcpy(to, from, bytes) + bytes;
}

void *memrchr(const void *from, int byte, size_t bytes)
{
	const unsigned char *text = from;
	while (bytes > 0)
		if (text[--bytes] == (unsigned char)byte)
			return (void *)(text + bytes);
	return NULL;
}

char *mac_strchrnul(const char *text, int byte)
{
	while (*text && *text != (char)byte)
		text++;
	return (char *)text;
}

ssize_t getrandom(void *to, size_t bytes, unsigned flags)
{
	(void)flags;
	arc4random_buf(to, bytes);
	return (ssize_t)bytes;
}

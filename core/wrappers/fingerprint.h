/* wrappers/fingerprint.h - what stands for a content that is not to be kept itself. */
#ifndef WRAPPERS_FINGERPRINT_H
#define WRAPPERS_FINGERPRINT_H

#include <stddef.h>

enum { FINGERPRINT_ROOM = 65 };

/* BLAKE2b in hexadecimal letters, or "" where the library cannot begin. */
void fingerprint_of(const void *bytes, size_t count, char room[FINGERPRINT_ROOM]);

#endif

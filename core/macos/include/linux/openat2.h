/* linux/openat2.h for macOS - see macos/open.c. */
#ifndef MACOS_OPENAT2_H
#define MACOS_OPENAT2_H

#include <stdint.h>

struct open_how {
	uint64_t flags, mode, resolve;
};
#define RESOLVE_NO_XDEV 0x01
#define RESOLVE_NO_MAGICLINKS 0x02
#define RESOLVE_NO_SYMLINKS 0x04
#define RESOLVE_BENEATH 0x08

#endif

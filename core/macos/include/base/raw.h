/* base/raw.h for macOS - system calls by number.
 *
 * No child shares memory with its parent here, and the numbers are the kernel's own: nothing of ours calls by
 * them. A plugin that does is told that there is none.
 */
#ifndef BASE_RAW_H
#define BASE_RAW_H

#include <errno.h>

static inline long raw_call(long number, long a, long b, long c, long d, long e, long f)
{
	(void)number, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
	return -ENOSYS;
}

#endif

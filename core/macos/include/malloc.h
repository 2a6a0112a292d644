/* malloc.h for macOS: nothing of its allocator can be set. */
#ifndef MACOS_MALLOC_H
#define MACOS_MALLOC_H

#define M_MMAP_THRESHOLD (-3)
#define M_TRIM_THRESHOLD (-1)
#define M_TOP_PAD (-2)
#define M_ARENA_MAX (-8)
static inline int mallopt(int what, int value)
{
	(void)what, (void)value;
	return 0;
}

#endif

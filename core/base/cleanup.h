/* base/cleanup.h - what a scope owns goes when the scope ends, unless it is taken. */
#ifndef BASE_CLEANUP_H
#define BASE_CLEANUP_H

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

static inline void cleanup_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void cleanup_memory(void *pointer)
{
	free(*(void **)pointer);
}

static inline void cleanup_directory(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

static inline int take_fd(int *fd)
{
	int taken = *fd;
	*fd = -1;
	return taken;
}

/* Takes a pointer out of its variable: `*ret_text = take_pointer(&text);` */
#define take_pointer(variable)                                                 \
	({                                                                     \
		__typeof__(*(variable)) taken_ = *(variable);                  \
		*(variable) = NULL;                                            \
		taken_;                                                        \
	})

#define auto_close __attribute__((cleanup(cleanup_fd)))
#define auto_free __attribute__((cleanup(cleanup_memory)))
#define auto_closedir __attribute__((cleanup(cleanup_directory)))

#endif

/* config/source.h - configuration files: opened once, and believed only if no one else can write. */
#ifndef CONFIG_SOURCE_H
#define CONFIG_SOURCE_H

#include "base/list.h"

#include <pinfold/error.h>

enum { SOURCE_BYTES_MOST = 1 << 20 };

/* Each returns 1 and fills its results, 0 where there is no such thing, or -1. A directory or file is
 * refused that group or others can write, or that belongs to neither root nor the caller. */
int source_open_directory(int at, const char *name, const char *path, int *ret_fd,
			  struct pinfold_error *err);
int source_read(int at, const char *name, const char *path, char **ret_data, size_t *ret_bytes,
		struct pinfold_error *err);
/* The same for a file that the caller named for this run: it must be there, and a regular file. */
int source_read_named(const char *path, char **ret_data, size_t *ret_bytes,
		      struct pinfold_error *err);

/* Names that end in ".conf" and do not begin with a dot, in the order of their bytes. */
int source_list(int directory, const char *path, struct list *names, struct pinfold_error *err);

#endif

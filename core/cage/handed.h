/* cage/handed.h - files that the command is handed for reading only.
 *
 * A descriptor carries the mount that it was opened on. Where that is the host's, which can be written,
 * the command could open its file once more, by /proc/self/fd, for writing, or change its mode.
 */
#ifndef CAGE_HANDED_H
#define CAGE_HANDED_H

#include <pinfold/error.h>
#include <stddef.h>

struct handed {
	int fd;
	char *path;	/* where it was opened, in the host's sight */
};

/* Those of `streams` and `kept` (-1-terminated, or NULL) that are open for reading only, are files with
 * a name, and could be changed by the caller. */
int handed_list(const int streams[3], const int *kept, struct handed **ret_files, size_t *ret_count,
		struct pinfold_error *err);
void handed_free(struct handed *files, size_t count);

/* In the child, in a mount namespace of its own: puts in each one's place the same file on this
 * namespace's mount, which becomes read-only with the rest. A negative errno, and whose. */
long handed_reopen(const struct handed *files, size_t count, const char **ret_path);

int handed_fault(const char *path, int sys, struct pinfold_error *err);

#endif

/* tree/above.h - directories above the one that is worked on, kept open by a thread of a sync.
 *
 * To open each from the top costs a look at every name on its path, twice: in a deep tree as much as half of
 * the files in it. So a thread keeps the last few that it opened and that others lie below. What lies below is
 * still reached without following anything; only a directory that is moved away meanwhile takes with it what
 * is then done in it.
 */
#ifndef TREE_ABOVE_H
#define TREE_ABOVE_H

#include <stddef.h>

struct folder;

enum { ABOVE_MOST = 4 };

struct above_kept {
	const struct folder *folder;
	int source_fd, copy_fd;	/* one of them may be -1 */
	size_t path_bytes;	/* of its path in the copy, with the slash after it */
};

struct above {
	struct above_kept kept[ABOVE_MOST];
	unsigned count;
	int most_fd;		/* no descriptor with a higher number is kept: they are the caller's to use */
};

void above_start(struct above *above);
void above_release(struct above *above);
/* Forgets those that `folder` is not below. */
void above_enter(struct above *above, const struct folder *folder);
/* Keeps the folder's descriptors, or closes them. */
void above_keep(struct above *above, const struct folder *folder, size_t path_bytes, int source_fd,
		int copy_fd);
/* The nearest that is kept; NULL: none. */
static inline const struct above_kept *above_nearest(const struct above *above)
{
	return above->count > 0 ? &above->kept[above->count - 1] : NULL;
}

#endif

/* tree/above.c - directories above the one that is worked on, kept open by a thread of a sync. */
#include "config.h"

#include "tree/above.h"

#include "base/cleanup.h"
#include "tree/folder.h"

#include <string.h>
#include <sys/resource.h>

enum { HIGHEST = 512 };

void above_start(struct above *above)
{
	struct rlimit limit = { .rlim_cur = 0 };
	getrlimit(RLIMIT_NOFILE, &limit);
	above->count = 0;
	above->most_fd = limit.rlim_cur > 2 * HIGHEST ? HIGHEST : (int)(limit.rlim_cur / 2);
}

static void forget_last(struct above *above)
{
	above->count--;
	cleanup_fd(&above->kept[above->count].source_fd);
	cleanup_fd(&above->kept[above->count].copy_fd);
}

static void forget_first(struct above *above)
{
	cleanup_fd(&above->kept[0].source_fd);
	cleanup_fd(&above->kept[0].copy_fd);
	above->count--;
	memmove(&above->kept[0], &above->kept[1], above->count * sizeof(above->kept[0]));
}

void above_release(struct above *above)
{
	while (above->count > 0)
		forget_last(above);
}

static bool is_below(const struct folder *folder, const struct folder *other)
{
	while (folder && folder->depth > other->depth)
		folder = folder->parent;
	return folder == other;
}

void above_enter(struct above *above, const struct folder *folder)
{
	while (above->count > 0 && !is_below(folder->parent, above->kept[above->count - 1].folder))
		forget_last(above);
}

void above_keep(struct above *above, const struct folder *folder, size_t path_bytes, int source_fd,
		int copy_fd)
{
	struct above_kept kept = { folder, source_fd, copy_fd, path_bytes };
	if ((copy_fd < 0 && source_fd < 0) || copy_fd > above->most_fd || source_fd > above->most_fd) {
		cleanup_fd(&source_fd);
		cleanup_fd(&copy_fd);
		return;
	}
	if (above->count == ABOVE_MOST)
		forget_first(above);
	above->kept[above->count++] = kept;
}

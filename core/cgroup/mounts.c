/* cgroup/mounts.c - where the file system of cgroups, version 2, is mounted. */
#include "config.h"

#include "cgroup/mounts.h"

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/text.h"
#include "cgroup/levels.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

#define CGROUP2_MAGIC 0x63677270

enum { MOUNTS_MOST_BYTES = 16 << 20 };

bool mounts_is_of_kind(int directory)
{
	struct statfs system;
	return fstatfs(directory, &system) == 0 && system.f_type == CGROUP2_MAGIC;
}

static char *read_mounts(void)
{
	char *text = NULL;
	size_t bytes;
	return fd_read_path("/proc/self/mountinfo", MOUNTS_MOST_BYTES, &text, &bytes) < 0 ? NULL : text;
}

/* Another mount may lie over this one; Linux before 5.8 does not tell. */
static bool is_mount(int directory, unsigned long long id)
{
	struct statx about;
	if (statx(directory, "", AT_EMPTY_PATH, STATX_MNT_ID, &about) < 0 || !(about.stx_mask & STATX_MNT_ID))
		return true;
	return about.stx_mnt_id == id;
}

static bool is_read_only(int directory)
{
	struct statvfs system;
	return fstatvfs(directory, &system) < 0 || system.f_flag & ST_RDONLY;
}

int mounts_open(const char *own, struct mounts_best *ret_best)
{
	auto_free char *mounts = read_mounts();
	char *rest = NULL, *root, *point;
	int best = -1;
	for (char *line = mounts ? strtok_r(mounts, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
		unsigned long long id = strtoull(line, NULL, 10);
		const char *below = levels_mount(line, &root, &point) ? levels_below(own, root) : NULL;
		auto_close int directory = below && strlen(point) < sizeof(ret_best->point) ?
						   open(point, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
		if (directory < 0 || !mounts_is_of_kind(directory) || !is_mount(directory, id))
			continue;
		bool read_only = is_read_only(directory);
		bool more = best < 0 || (read_only == ret_best->read_only ? below < ret_best->below : ret_best->read_only);
		if (!more)
			continue;
		cleanup_fd(&best);
		best = take_fd(&directory);
		ret_best->read_only = read_only;
		ret_best->below = below;
		memcpy(ret_best->point, point, strlen(point) + 1);
	}
	return best;
}

int mounts_list(struct list *ret_points)
{
	auto_free char *mounts = read_mounts();
	char *rest = NULL, *root, *point;
	if (!mounts)
		return -1;
	for (char *line = strtok_r(mounts, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (levels_mount(line, &root, &point) && list_add(ret_points, point) < 0)
			return -1;
	return 0;
}

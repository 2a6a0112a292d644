/* tree/stamp.c - what the kernel says of one entry. */
#include "config.h"

#include "tree/stamp.h"

#include <fcntl.h>

static int64_t nanoseconds_of(struct timespec time)
{
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Not statx: a sync does little else than this, and nothing that only statx tells is needed. */
int stamp_read(int dir, const char *name, struct stamp *ret_stamp)
{
	struct stat found;
	int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | (*name ? 0 : AT_EMPTY_PATH);
	if (fstatat(dir, name, &found, flags) < 0)
		return -1;
	*ret_stamp = (struct stamp){
		.device = found.st_dev,
		.inode = found.st_ino,
		.mtime = nanoseconds_of(found.st_mtim),
		.ctime = nanoseconds_of(found.st_ctim),
		.size = (uint64_t)found.st_size,
		.stored = (uint64_t)found.st_blocks * 512,
		.mode = found.st_mode,
		.links = (uint32_t)found.st_nlink,
		.owner = found.st_uid,
	};
	return 0;
}

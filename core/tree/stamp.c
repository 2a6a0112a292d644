/* tree/stamp.c - what the kernel says of one entry. */
#include "config.h"

#include "tree/stamp.h"

#include <fcntl.h>
#include <sys/sysmacros.h>

static int64_t nanoseconds_of(struct statx_timestamp time)
{
	return time.tv_sec * 1000000000 + time.tv_nsec;
}

int stamp_read(int dir, const char *name, struct stamp *ret_stamp)
{
	struct statx found;
	int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | (*name ? 0 : AT_EMPTY_PATH);
	if (statx(dir, name, flags, STATX_BASIC_STATS, &found) < 0)
		return -1;
	*ret_stamp = (struct stamp){
		.device = makedev(found.stx_dev_major, found.stx_dev_minor),
		.inode = found.stx_ino,
		.mtime = nanoseconds_of(found.stx_mtime),
		.ctime = nanoseconds_of(found.stx_ctime),
		.size = found.stx_size,
		.stored = found.stx_blocks * 512,
		.mode = found.stx_mode,
		.links = found.stx_nlink,
		.owner = found.stx_uid,
	};
	return 0;
}

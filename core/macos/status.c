/* macos/status.c - what is known of a file, with its birth. */
#include "config.h"

#include <string.h>

static struct statx_time time_of(struct timespec time)
{
	return (struct statx_time){ time.tv_sec, (uint32_t)time.tv_nsec };
}

#undef fstatat
#undef utimensat

/* Of the descriptor itself where the name is empty. */
int mac_fstatat(int dir, const char *name, struct stat *ret_found, int flags)
{
	if (flags & AT_EMPTY_PATH && !*name)
		return fstat(dir, ret_found);
	return fstatat(dir, name, ret_found, flags & ~AT_EMPTY_PATH);
}

int mac_utimensat(int dir, const char *name, const struct timespec times[2], int flags)
{
	if (flags & AT_EMPTY_PATH && !*name)
		return futimens(dir, times);
	return utimensat(dir, name, times, flags & ~AT_EMPTY_PATH);
}

/* A volume is what Linux calls a mount: it has a device of its own. */
int statx(int dir, const char *name, int flags, unsigned mask, struct statx *ret_found)
{
	struct stat found;
	(void)mask;
	if (mac_fstatat(dir, name, &found, flags & (AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)) < 0)
		return -1;
	*ret_found = (struct statx){
		.stx_mask = STATX_TYPE | STATX_INO | STATX_BTIME | STATX_MNT_ID,
		.stx_dev_major = (uint32_t)major(found.st_dev), .stx_dev_minor = (uint32_t)minor(found.st_dev),
		.stx_mode = found.st_mode, .stx_uid = found.st_uid, .stx_gid = found.st_gid,
		.stx_nlink = found.st_nlink, .stx_ino = found.st_ino, .stx_size = (uint64_t)found.st_size,
		.stx_mnt_id = (uint64_t)(uint32_t)found.st_dev + 1,
		.stx_mtime = time_of(found.st_mtimespec), .stx_ctime = time_of(found.st_ctimespec),
		.stx_btime = time_of(found.st_birthtimespec), .stx_atime = time_of(found.st_atimespec),
	};
	return 0;
}

/* tree/bond.c - whether a directory is still the one that something was kept of. */
#include "config.h"

#include "tree/bond.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "tree/index.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { HALF = 16, HALF_MASK = 0xffff, OVERLAY_MAGIC = 0x794c7630 };

/* Never 0, which says that it is not known. */
static uint32_t half_of(uint64_t value)
{
	uint32_t half = (uint32_t)((value * 0x9e3779b97f4a7c15u) >> 48);
	return half ? half : 1;
}

/* An overlay tells the birth of the inode below until the directory is first changed, and then another. */
static bool keeps_births(int directory)
{
	struct statfs found;
	return fstatfs(directory, &found) == 0 && (uint32_t)found.f_type != OVERLAY_MAGIC;
}

uint32_t bond_of(int directory)
{
	struct statx found;
	if (statx(directory, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &found) < 0)
		return 0;
	uint32_t bond = half_of(found.stx_ino) << HALF;
	if (found.stx_mask & STATX_BTIME && keeps_births(directory))
		bond |= half_of((uint64_t)found.stx_btime.tv_sec * 1000000000 + found.stx_btime.tv_nsec);
	return bond;
}

static bool differ(uint32_t a, uint32_t b)
{
	return a != 0 && b != 0 && a != b;
}

bool bond_is_broken(uint32_t known, int directory)
{
	uint32_t now = known ? bond_of(directory) : 0;
	return differ(known >> HALF, now >> HALF) || differ(known & HALF_MASK, now & HALF_MASK);
}

/* Only its beginning: nothing else is believed of it. */
bool bond_is_broken_by(int slot_dir, const char *name, int directory)
{
	struct index_header header;
	auto_close int fd = openat(slot_dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	return fd >= 0 && index_read_header(fd, &header) == 0 && bond_is_broken(header.bond, directory);
}

int bond_refuse(const char *action, const char *tree, const char *session, struct pinfold_error *err)
{
	return faultf(err, PINFOLD_E_SESSION, 0, action,
		      "move that one back to its place; or look what was changed in it (pinfold diff), and drop that "
		      "(pinfold discard)",
		      "%s%s%s: another directory lies there than the one that was worked in", session ? session : "",
		      session ? " in " : "", tree);
}

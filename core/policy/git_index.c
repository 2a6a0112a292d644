/* policy/git_index.c - does the index of a git directory know a working tree by its inodes? */
#include "config.h"

#include "policy/git_index.h"

#include "base/cleanup.h"
#include "base/fd.h"

#include <endian.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

/* An entry begins with ten numbers of four bytes, most significant first, then an id of 20 or 32 bytes,
 * two bytes of flags, and the name with a NUL. */
enum { HEADER = 12, MTIME = 8, MTIME_NANOSECONDS = 12, INODE = 20, SIZE = 36, NUMBERS = 40 };
enum { READ_MOST = 65536, TRIED_MOST = 64, EXTENDED = 0x4000 };

static uint32_t number_at(const unsigned char *at)
{
	uint32_t number;
	memcpy(&number, at, sizeof(number));
	return be32toh(number);
}

/* A name that stays below the tree. */
static bool matches(const unsigned char *entry, const char *name, int work)
{
	struct stat status;
	auto_close int fd = fd_open_beneath(work, name, O_PATH | O_NOFOLLOW, 0);
	return fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	       number_at(entry + INODE) == (uint32_t)status.st_ino &&
	       number_at(entry + MTIME) == (uint32_t)status.st_mtim.tv_sec &&
	       number_at(entry + MTIME_NANOSECONDS) == (uint32_t)status.st_mtim.tv_nsec &&
	       number_at(entry + SIZE) == (uint32_t)status.st_size;
}

static bool search(const unsigned char *data, size_t bytes, size_t id_bytes, int work)
{
	uint32_t version = number_at(data + 4), count = number_at(data + 8);
	size_t at = HEADER;
	for (uint32_t i = 0; i < count && i < TRIED_MOST; i++) {
		size_t head = NUMBERS + id_bytes + 2;
		if (bytes - at < head + 4)
			return false;
		const unsigned char *entry = data + at;
		bool extended = (entry[head - 2] << 8 | entry[head - 1]) & EXTENDED;
		head += (extended ? 2 : 0) + (version == 4 ? 1 : 0);
		const unsigned char *name = entry + head, *end = memchr(name, '\0', bytes - at - head);
		if (!end)
			return false;
		if (matches(entry, (const char *)name, work))
			return true;
		/* Later names of version 4 are only what differs from the one before. */
		if (version == 4)
			return false;
		size_t used = (size_t)(end - entry);
		at += used + 8 - used % 8;
		if (at >= bytes)
			return false;
	}
	return false;
}

bool git_index_knows(int git, int work)
{
	static const size_t id_sizes[] = { 20, 32 };
	auto_close int fd = fd_open_beneath(git, "index", O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
	auto_free unsigned char *data = malloc(READ_MOST);
	struct stat status;
	if (fd < 0 || !data || fstat(fd, &status) < 0 || !S_ISREG(status.st_mode))
		return false;
	ssize_t got = read(fd, data, READ_MOST);
	if (got < HEADER || memcmp(data, "DIRC", 4) != 0)
		return false;
	for (size_t i = 0; i < sizeof(id_sizes) / sizeof(id_sizes[0]); i++)
		if (search(data, (size_t)got, id_sizes[i], work))
			return true;
	return false;
}

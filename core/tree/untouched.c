/* tree/untouched.c - a mark beside a copy at rest: its command could only read it. */
#include "config.h"

#include "tree/untouched.h"

#include "base/cleanup.h"
#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { BOOT_ROOM = 64 };

static ssize_t read_all(int fd, char room[BOOT_ROOM])
{
	ssize_t got = fd < 0 ? -1 : read(fd, room, BOOT_ROOM);
	return got > 0 && got < BOOT_ROOM ? got : -1;
}

/* Different after each start of the machine. */
static ssize_t read_boot(char room[BOOT_ROOM])
{
	auto_close int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	return read_all(fd, room);
}

void untouched_mark(int slot_dir)
{
	char boot[BOOT_ROOM];
	ssize_t bytes = read_boot(boot);
	if (bytes < 0 || (unlinkat(slot_dir, UNTOUCHED_MARK, 0) < 0 && errno != ENOENT))
		return;
	auto_close int fd = openat(slot_dir, UNTOUCHED_MARK, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0 && fd_write_all(fd, boot, (size_t)bytes) < 0)
		unlinkat(slot_dir, UNTOUCHED_MARK, 0);
}

bool untouched_take(int slot_dir)
{
	char boot[BOOT_ROOM], marked[BOOT_ROOM];
	auto_close int fd = openat(slot_dir, UNTOUCHED_MARK, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t bytes = read_all(fd, marked);
	return unlinkat(slot_dir, UNTOUCHED_MARK, 0) == 0 && bytes > 0 && read_boot(boot) == bytes &&
	       memcmp(boot, marked, (size_t)bytes) == 0;
}

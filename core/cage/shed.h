/* cage/shed.h - every descriptor past the streams ends at exec: by system calls only. */
#ifndef CAGE_SHED_H
#define CAGE_SHED_H

#include "base/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdint.h>
#include <sys/syscall.h>

#define SHED __attribute__((no_sanitize("address", "undefined"))) static inline

struct shed_entry {	/* as the kernel writes it */
	uint64_t inode, offset;
	uint16_t bytes;
	uint8_t kind;
	char name[];
} __attribute__((packed));

SHED int shed_number(const char *name)
{
	int number = 0;
	for (; *name; name++) {
		if (*name < '0' || *name > '9')
			return -1;
		number = number * 10 + (*name - '0');
	}
	return number;
}

/* One after the other: all that are open are in this directory, whatever limit was set since. */
SHED long shed_listed(void)
{
	char room[1024];
	long result = raw(SYS_openat, AT_FDCWD, "/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (result < 0)
		return result;
	int dir = (int)result;
	while ((result = raw(SYS_getdents64, dir, room, sizeof(room))) > 0)
		for (long at = 0, bytes = result; at < bytes;) {
			const struct shed_entry *entry = (const void *)(room + at);
			int fd = shed_number(entry->name);
			if (fd > 2)
				raw(SYS_fcntl, fd, F_SETFD, FD_CLOEXEC);
			at += entry->bytes;
		}
	raw(SYS_close, dir);
	return result;
}

/* Linux 5.11 does it in one call. */
SHED long shed_on_exec(void)
{
	long result = raw(SYS_close_range, 3, ~0u, CLOSE_RANGE_CLOEXEC);
	return result == -EINVAL || result == -ENOSYS ? shed_listed() : result;
}

#undef SHED

#endif

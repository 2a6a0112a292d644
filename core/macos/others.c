/* macos/others.c - every descriptor past the streams ends at exec: one after the other, as a Mac has no call for all. */
#include "config.h"

#include "cage/others.h"

#include <fcntl.h>
#include <unistd.h>

int others_most(void)
{
	return getdtablesize();
}

int others_end_at_exec(int most)
{
	for (int fd = 3; fd < most; fd++) {
		int flags = fcntl(fd, F_GETFD);
		if (flags >= 0 && fcntl(fd, F_SETFD, flags | FD_CLOEXEC) < 0)
			return -1;
	}
	return 0;
}

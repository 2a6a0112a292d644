/* plugins/common/bare/strays.c - strays of the command become children of its supervisor, which finds and ends
 * them: where the kernel makes it their parent, and lists children. */
#include "strays.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

const char *strays_trouble(void)
{
	int reaps = 0;
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0 ||
	    prctl(PR_GET_CHILD_SUBREAPER, &reaps, 0, 0, 0) < 0 || reaps != 1)
		return "the kernel gives strays no new parent";
	char path[64];
	snprintf(path, sizeof(path), "/proc/self/task/%ld/children", (long)syscall(SYS_gettid));
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return "/proc does not list the children of a process";
	close(fd);
	return NULL;
}

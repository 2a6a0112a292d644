/* arms/offspring.c - the children of a process that tries something: adopted, and ended. */
#include "config.h"

#include "arms/offspring.h"

#include "arms/frames.h"
#include "base/cleanup.h"
#include "base/fd.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

const int offspring_all = __WALL;

void offspring_adopt(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void offspring_follow(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

void offspring_kill(void)
{
	char path[64], *list = NULL;
	size_t bytes;
	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	if (fd_read_path(path, FRAME_MOST, &list, &bytes) < 0)
		return;
	for (char *at = list, *end; *at; at = end) {
		long pid = strtol(at, &end, 10);
		if (end == at)
			break;
		if (pid > 1)
			kill((pid_t)pid, SIGKILL);
	}
	free(list);
}

/* macos/offspring.c - the children of a process that tries something, ended.
 *
 * A Mac gives strays to launchd: nothing adopts them, and what a probe leaves behind in a session of its own
 * stays.
 */
#include "config.h"

#include "arms/offspring.h"

#include <libproc.h>
#include <stdlib.h>

const int offspring_all = 0;

void offspring_adopt(void)
{
}

void offspring_follow(void)
{
}

void offspring_kill(void)
{
	pid_t children[1024];
	int count = proc_listchildpids(getpid(), children, sizeof(children));
	for (int i = 0; i < count && i < 1024; i++)
		if (children[i] > 1)
			kill(children[i], SIGKILL);
}

/* cage/foreground.c - who has the terminal: the caller's group or the command's. */
#include "config.h"

#include "cage/foreground.h"

#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

bool foreground_wanted(const struct launch *launch)
{
	struct stat out;
	if (launch->own_terminal)
		return launch->terminal >= 0;
	if (launch->own_session || launch->terminal < 0)
		return false;
	if (fstat(launch->streams[1], &out) == 0 && S_ISFIFO(out.st_mode))
		return false;
	return tcgetpgrp(launch->terminal) == getpgrp();
}

int foreground_take(int terminal)
{
	sigset_t output, before;
	sigemptyset(&output);
	sigaddset(&output, SIGTTOU);
	pthread_sigmask(SIG_BLOCK, &output, &before);
	int result = tcsetpgrp(terminal, getpgrp());
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return result;
}

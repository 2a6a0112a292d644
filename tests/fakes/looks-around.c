/* fakes/looks-around.c - its probe refuses when something of the host has come with it. */
#define FAKE_NAME "looks-around"
#define FAKE_PROBE look_around
#include <pinfold/arm.h>

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* The descriptors past the streams, but for the one that lists them. */
static int count_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int count = 0;
	for (const struct dirent *entry; dir && (entry = readdir(dir));)
		if (atoi(entry->d_name) > 2 && atoi(entry->d_name) != dirfd(dir))
			count++;
	if (dir)
		closedir(dir);
	return count;
}

static int count_signals(void)
{
	int count = 0;
	sigset_t blocked;
	sigprocmask(SIG_SETMASK, NULL, &blocked);
	for (int number = 1; number < NSIG; number++) {
		struct sigaction action;
		if (sigismember(&blocked, number) == 1)
			count++;
		else if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
			count++;
	}
	return count;
}

/* One descriptor more is the pipe over which the answer goes. */
static int look_around(const struct pinfold_host *host, struct pinfold_offer *offer,
		       struct pinfold_error *err)
{
	(void)err;
	int descriptors = count_descriptors(), signals = count_signals();
	offer->available = descriptors == 1 && signals == 0 && getsid(0) == getpid();
	offer->answered = (UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1;
	offer->missing = host->print(host, "%d descriptors, %d signals, session %d", descriptors,
				     signals, (int)getsid(0));
	return 0;
}

#include "fake.h"

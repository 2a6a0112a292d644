/* fakes/forks-in-probe.c - its probe answers, but leaves processes behind that get away. */
#define FAKE_NAME "forks-in-probe"
#define FAKE_PROBE probe_otherwise
#include <pinfold/arm.h>

#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

/* A stray that has left group, session and parent, and wants no signal. */
static void leave_stray(void)
{
	if (fork() != 0)
		return;
	setsid();
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_IGN);
	if (fork() != 0)
		_exit(0);
	setsid();
	for (;;)
		sleep(600);
}

static int probe_otherwise(const struct pinfold_host *host, struct pinfold_offer *offer,
			   struct pinfold_error *err)
{
	(void)host;
	(void)err;
	for (int i = 0; i < 3; i++)
		leave_stray();
	offer->available = 1;
	offer->answered = (UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1;
	offer->kept = PINFOLD_BIT(FILESYSTEM);
	return 0;
}

#include "fake.h"

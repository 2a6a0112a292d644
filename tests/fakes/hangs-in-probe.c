/* fakes/hangs-in-probe.c - probing it never ends, and takes no hint. */
#define FAKE_NAME "hangs-in-probe"
#define FAKE_PROBE probe_otherwise
#include <pinfold/arm.h>

#include <signal.h>
#include <unistd.h>

static int probe_otherwise(const struct pinfold_host *host, struct pinfold_offer *offer,
			   struct pinfold_error *err)
{
	(void)host;
	(void)err;
	offer->available = 1;
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_IGN);
	for (;;)
		pause();
	return 0;
}

#include "fake.h"

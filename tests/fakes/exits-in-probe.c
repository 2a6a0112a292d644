/* fakes/exits-in-probe.c - probing it ends the process, with success. */
#define FAKE_NAME "exits-in-probe"
#define FAKE_PROBE probe_otherwise
#include <pinfold/arm.h>

#include <stdlib.h>

static int probe_otherwise(const struct pinfold_host *host, struct pinfold_offer *offer,
			   struct pinfold_error *err)
{
	(void)host;
	(void)err;
	offer->available = 1;
	exit(0);
}

#include "fake.h"

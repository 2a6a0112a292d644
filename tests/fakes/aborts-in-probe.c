/* fakes/aborts-in-probe.c - probing it aborts, as an assertion would. */
#define FAKE_NAME "aborts-in-probe"
#define FAKE_PROBE probe_otherwise
#include <pinfold/arm.h>

#include <stdlib.h>

static int probe_otherwise(const struct pinfold_host *host, struct pinfold_offer *offer,
			   struct pinfold_error *err)
{
	(void)host;
	(void)err;
	(void)offer;
	abort();
}

#include "fake.h"

/* fakes/refuses-silently.c - it is not available, and does not say what is missing. */
#define FAKE_NAME "refuses-silently"
#define FAKE_PROBE probe_otherwise
#include <pinfold/arm.h>

static int probe_otherwise(const struct pinfold_host *host, struct pinfold_offer *offer,
			   struct pinfold_error *err)
{
	(void)host;
	(void)err;
	offer->available = 0;
	return 0;
}

#include "fake.h"

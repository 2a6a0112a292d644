/* fakes/promises-the-unknown.c - it keeps a promise that only a later host knows. */
#define FAKE_NAME "promises-the-unknown"
#define FAKE_PROBE probe_otherwise
#include <pinfold/arm.h>

static int probe_otherwise(const struct pinfold_host *host, struct pinfold_offer *offer,
			   struct pinfold_error *err)
{
	(void)host;
	(void)err;
	offer->available = 1;
	offer->answered = UINT64_MAX;
	offer->kept = PINFOLD_BIT(FILESYSTEM) | UINT64_C(1) << 40;
	return 0;
}

#include "fake.h"

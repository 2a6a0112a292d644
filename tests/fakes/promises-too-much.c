/* fakes/promises-too-much.c - it keeps what it did not answer for. */
#define FAKE_NAME "promises-too-much"
#define FAKE_PROBE probe_otherwise
#include <pinfold/arm.h>

static int probe_otherwise(const struct pinfold_host *host, struct pinfold_offer *offer,
			   struct pinfold_error *err)
{
	(void)host;
	(void)err;
	offer->available = 1;
	offer->answered = ((UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1) & ~PINFOLD_BIT(NETWORK);
	offer->kept = PINFOLD_BIT(NETWORK);
	return 0;
}

#include "fake.h"

/* fakes/points-nowhere.c - its offer has texts that are none. */
#define FAKE_NAME "points-nowhere"
#define FAKE_PROBE probe_otherwise
#include <pinfold/arm.h>

static int probe_otherwise(const struct pinfold_host *host, struct pinfold_offer *offer,
			   struct pinfold_error *err)
{
	(void)host;
	(void)err;
	offer->available = 1;
	offer->answered = (UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1;
	offer->note[3] = (const char *)8;
	return 0;
}

#include "fake.h"

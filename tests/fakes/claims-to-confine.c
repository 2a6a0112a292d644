/* fakes/claims-to-confine.c - an arm that promises everything and confines nothing. */
#define FAKE_NAME "claims-to-confine"
#define FAKE_PROBE promise_everything
#include <pinfold/arm.h>

static int promise_everything(const struct pinfold_host *host, struct pinfold_offer *offer, struct pinfold_error *err)
{
	(void)host;
	(void)err;
	offer->available = 1;
	offer->answered = offer->kept = (UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1;
	return 0;
}

#include "fake.h"

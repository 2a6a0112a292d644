/* fakes/fails-in-probe.c - its hook probe fails, and says why. */
#define FAKE_NAME "fails-in-probe"
#define FAKE_PROBE fail_always
#include <pinfold/arm.h>

static int fail_always(const struct pinfold_host *host, struct pinfold_offer *offer,
		struct pinfold_error *err)
{
	(void)offer;
	return host->fail(err, PINFOLD_E_SYSTEM, 28, "probe the fake", "it never works",
			  "take another arm");
}

#include "fake.h"

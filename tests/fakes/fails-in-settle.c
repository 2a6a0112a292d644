/* fakes/fails-in-settle.c - its hook settle fails, and says why. */
#define FAKE_NAME "fails-in-settle"
#define FAKE_SETTLE fail_always
#include <pinfold/arm.h>

static int fail_always(const struct pinfold_host *host, struct pinfold_plan *plan,
		struct pinfold_error *err)
{
	(void)plan;
	return host->fail(err, PINFOLD_E_SYSTEM, 28, "settle the fake", "it never works",
			  "take another arm");
}

#include "fake.h"

/* fakes/fails-in-prepare.c - its hook prepare fails, and says why. */
#define FAKE_NAME "fails-in-prepare"
#define FAKE_PREPARE fail_always
#include <pinfold/arm.h>

static int fail_always(const struct pinfold_host *host, const struct pinfold_policy *policy,
		const struct pinfold_shown *shown, struct pinfold_plan *plan,
		struct pinfold_error *err)
{
	(void)policy;
	(void)shown;
	(void)plan;
	return host->fail(err, PINFOLD_E_SYSTEM, 28, "prepare the fake", "it never works",
			  "take another arm");
}

#include "fake.h"

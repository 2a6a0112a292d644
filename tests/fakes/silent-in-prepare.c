/* fakes/silent-in-prepare.c - its hook prepare fails, and does not say why. */
#define FAKE_NAME "silent-in-prepare"
#define FAKE_PREPARE fail_silently
#include <pinfold/arm.h>

static int fail_silently(const struct pinfold_host *host, const struct pinfold_policy *policy,
		const struct pinfold_shown *shown, struct pinfold_plan *plan,
		struct pinfold_error *err)
{
	(void)host;
	(void)policy;
	(void)shown;
	(void)plan;
	(void)err;
	return -1;
}

#include "fake.h"

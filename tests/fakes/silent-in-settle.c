/* fakes/silent-in-settle.c - its hook settle fails, and does not say why. */
#define FAKE_NAME "silent-in-settle"
#define FAKE_SETTLE fail_silently
#include <pinfold/arm.h>

static int fail_silently(const struct pinfold_host *host, struct pinfold_plan *plan,
		struct pinfold_error *err)
{
	(void)host;
	(void)plan;
	(void)err;
	return -1;
}

#include "fake.h"

/* fakes/silent-in-probe.c - its hook probe fails, and does not say why. */
#define FAKE_NAME "silent-in-probe"
#define FAKE_PROBE fail_silently
#include <pinfold/arm.h>

static int fail_silently(const struct pinfold_host *host, struct pinfold_offer *offer,
		struct pinfold_error *err)
{
	(void)host;
	(void)offer;
	(void)err;
	return -1;
}

#include "fake.h"

/* fakes/crashes-in-probe.c - probing it is a segmentation fault. */
#define FAKE_NAME "crashes-in-probe"
#define FAKE_PROBE probe_otherwise
#include <pinfold/arm.h>

/* A sanitizer would end it in another way. */
__attribute__((no_sanitize("undefined")))
static int probe_otherwise(const struct pinfold_host *host, struct pinfold_offer *offer,
			   struct pinfold_error *err)
{
	(void)host;
	(void)err;
	offer->available = 1;
	static int *volatile nowhere;
	*nowhere = 1;
	return 0;
}

#include "fake.h"

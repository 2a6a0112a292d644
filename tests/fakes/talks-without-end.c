/* fakes/talks-without-end.c - its probe logs for ever. */
#define FAKE_NAME "talks-without-end"
#define FAKE_PROBE probe_otherwise
#include <pinfold/arm.h>

static int probe_otherwise(const struct pinfold_host *host, struct pinfold_offer *offer,
			   struct pinfold_error *err)
{
	(void)host;
	(void)err;
	(void)offer;
	for (;;)
		host->log(host, PINFOLD_LOG_INFO, "and another thing");
	return 0;
}

#include "fake.h"

/* fakes/prints-in-probe.c - its probe writes on the standard streams. */
#define FAKE_NAME "prints-in-probe"
#define FAKE_PROBE probe_otherwise
#include <pinfold/arm.h>

#include <unistd.h>

static int probe_otherwise(const struct pinfold_host *host, struct pinfold_offer *offer,
			   struct pinfold_error *err)
{
	(void)host;
	(void)err;
	for (int stream = 0; stream <= 2; stream++)
		if (write(stream, "FAKE WAS HERE\n", 14) < 0)
			continue;
	offer->available = 1;
	offer->answered = (UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1;
	return 0;
}

#include "fake.h"

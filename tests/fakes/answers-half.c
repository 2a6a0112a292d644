/* fakes/answers-half.c - its offer leaves axes without an answer. */
#define FAKE_NAME "answers-half"
#define FAKE_PROBE probe_otherwise
#include <pinfold/arm.h>

static int probe_otherwise(const struct pinfold_host *host, struct pinfold_offer *offer,
			   struct pinfold_error *err)
{
	(void)host;
	(void)err;
	offer->available = 1;
	offer->answered = PINFOLD_BIT(FILESYSTEM) | PINFOLD_BIT(WRITES);
	return 0;
}

#include "fake.h"

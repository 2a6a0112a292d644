/* fakes/never-ends-its-text.c - its offer has a text without an end. */
#define FAKE_NAME "never-ends-its-text"
#define FAKE_PROBE probe_otherwise
#include <pinfold/arm.h>

#include <sys/mman.h>

static int probe_otherwise(const struct pinfold_host *host, struct pinfold_offer *offer,
			   struct pinfold_error *err)
{
	(void)host;
	(void)err;
	char *text = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (size_t i = 0; i < 1 << 20; i++)
		text[i] = 'a';
	offer->available = 1;
	offer->answered = (UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1;
	offer->note[0] = text;
	return 0;
}

#include "fake.h"

/* fakes/refuses-everything.c - an arm that keeps what it promises by leaving no command able to do anything. */
#define FAKE_NAME "refuses-everything"
#define FAKE_PROBE promise_everything
#define FAKE_ENTER allow_nothing
#include <pinfold/arm.h>

#include <sys/resource.h>
#include <sys/syscall.h>

static int promise_everything(const struct pinfold_host *host, struct pinfold_offer *offer, struct pinfold_error *err)
{
	(void)host;
	(void)err;
	offer->available = 1;
	offer->answered = offer->kept = (UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1;
	return 0;
}

/* The streams stay; no file, pipe or socket can be opened beside them. */
static int allow_nothing(const struct pinfold_plan *plan, uint32_t stage)
{
	const struct rlimit streams = { 3, 3 };
	if (stage != PINFOLD_STAGE_VERIFY)
		return 0;
	return (int)plan->host->call(SYS_prlimit64, 0, RLIMIT_NOFILE, (long)&streams, 0, 0, 0);
}

#include "fake.h"

/* fakes/confines-others-only.c - what it tries in another process works, and not in the one that prepared. */
#define FAKE_NAME "confines-others-only"
#define FAKE_ENTER enter_elsewhere
#define FAKE_PREPARE remember
#include <pinfold/arm.h>
#include <errno.h>
#include <unistd.h>

static int remember(const struct pinfold_host *host, const struct pinfold_policy *policy,
		    const struct pinfold_shown *shown, struct pinfold_plan *plan, struct pinfold_error *err)
{
	pid_t *here = host->allocate(host, sizeof(*here));
	(void)policy;
	(void)err;
	*here = getpid();
	plan->state = here;
	plan->directory = shown->source;
	return 0;
}

static int enter_elsewhere(const struct pinfold_plan *plan, uint32_t stage)
{
	const pid_t *prepared_by = plan->state;
	return stage == PINFOLD_STAGE_APPLY && getpid() == *prepared_by ? -EPERM : 0;
}

#include "fake.h"

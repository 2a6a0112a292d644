/* fakes/takes-its-time.c - it is slow in the stage AHEAD, and says when it is settled meanwhile. */
#define _GNU_SOURCE
#define FAKE_NAME "takes-its-time"
#define FAKE_ENTER take_time
#define FAKE_SETTLE look
#define FAKE_FORESEE foresee
#include <pinfold/arm.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>

struct progress {
	volatile int begun, done;
};

static int foresee(const struct pinfold_host *host, const struct pinfold_policy *policy,
		   struct pinfold_plan *plan, struct pinfold_error *err)
{
	(void)policy;
	(void)err;
	plan->state = host->allocate(host, sizeof(struct progress));
	plan->namespaces = CLONE_NEWUSER;
	return 0;
}

static int take_time(const struct pinfold_plan *plan, uint32_t stage)
{
	struct progress *progress = plan->state;
	const struct timespec moment = { .tv_nsec = 300 * 1000000 };
	if (stage != PINFOLD_STAGE_AHEAD)
		return 0;
	progress->begun = 1;
	plan->host->call(SYS_nanosleep, (long)&moment, 0, 0, 0, 0, 0);
	progress->done = 1;
	return 0;
}

static int look(const struct pinfold_host *host, struct pinfold_plan *plan, struct pinfold_error *err)
{
	const struct progress *progress = plan->state;
	const struct timespec moment = { .tv_nsec = 50 * 1000000 };
	nanosleep(&moment, NULL);
	if (!progress || progress->done)
		return 0;
	return host->fail(err, PINFOLD_E_INTERNAL, 0, "settle the fake",
			  progress->begun ? "a task still uses its plan" : "its task was never begun", "report this");
}

#include "fake.h"

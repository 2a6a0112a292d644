/* fakes/takes-turns.c - built for an interface whose functions are called by one thread at a time; fails where
 * they are not. */
#define FAKE_NAME "takes-turns"
#define FAKE_MINOR 1
#define FAKE_PREPARE prepare_alone

#include <pinfold/arm.h>

#include <unistd.h>

static int inside;

static int prepare_alone(const struct pinfold_host *host, const struct pinfold_policy *policy,
			 const struct pinfold_shown *shown, struct pinfold_plan *plan,
			 struct pinfold_error *err)
{
	(void)policy;
	int others = __atomic_fetch_add(&inside, 1, __ATOMIC_SEQ_CST);
	usleep(20000);
	__atomic_fetch_sub(&inside, 1, __ATOMIC_SEQ_CST);
	if (others)
		return host->fail(err, PINFOLD_E_PLUGIN, 0, "prepare", "another thread is in here", "wait");
	plan->directory = shown->source;
	plan->temporary = shown->temporary;
	return 0;
}

#include "fake.h"

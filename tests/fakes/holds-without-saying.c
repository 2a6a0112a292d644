/* fakes/holds-without-saying.c - an arm that lets no program give privileges, and does not promise it. */
#define FAKE_NAME "holds-without-saying"
#define FAKE_ENTER forbid_privileges
#include <pinfold/arm.h>

#include <sys/prctl.h>
#include <sys/syscall.h>

static int forbid_privileges(const struct pinfold_plan *plan, uint32_t stage)
{
	return stage == PINFOLD_STAGE_APPLY ? (int)plan->host->call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0) : 0;
}

#include "fake.h"

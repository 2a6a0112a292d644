/* copytree/system.c - what this arm asks of Linux. */
#include "system.h"

#include "bare/strays.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* The host probes in a process of its own. */
const char *system_tree_trouble(void)
{
	return strays_trouble();
}

int system_enter(const struct pinfold_plan *plan, uint32_t stage)
{
	const struct pinfold_host *host = plan->host;
	if (stage == PINFOLD_STAGE_APPLY)
		return (int)host->call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0);
	if (stage == PINFOLD_STAGE_VERIFY)
		return host->call(SYS_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0, 0) == 1 ? 0 : -EPERM;
	return 0;
}

/* copytree/system.c - what this arm asks of Linux. */
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Strays of the command become children of its supervisor, which finds and ends them: where the
 * kernel makes it their parent, and lists children. The host probes in a process of its own. */
const char *system_tree_trouble(void)
{
	int reaps = 0;
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0 ||
	    prctl(PR_GET_CHILD_SUBREAPER, &reaps, 0, 0, 0) < 0 || reaps != 1)
		return "the kernel gives strays no new parent";
	char path[64];
	snprintf(path, sizeof(path), "/proc/self/task/%ld/children", (long)syscall(SYS_gettid));
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return "/proc does not list the children of a process";
	close(fd);
	return NULL;
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

/* cgroup/trial.c - looks whether a process in a cgroup of its own is held there. */
#include "config.h"

#include "cgroup/group.h"

#include "base/raw.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TRIAL_HELD = 0, TRIAL_OUTSIDE, TRIAL_FREE };

/* In a process of its own: it enters a cgroup in which there may be one task, and may then make none. */
static int enter_and_fork(int entry)
{
	if (raw(SYS_write, entry, "0", 1) != 1)
		return TRIAL_OUTSIDE;
	long child = raw(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (child == 0)
		raw(SYS_exit_group, 0);
	if (child > 0)
		raw(SYS_wait4, child, 0, 0, 0);
	return child == -EAGAIN ? TRIAL_HELD : TRIAL_FREE;
}

int group_try(bool step_aside, struct group_refusal *refusal)
{
	static const char lift[] = "report this, with what `uname -r` says";
	const struct policy_ceilings ceilings = { .memory = UINT64_C(64) << 20, .tasks = 1, .processors = 100,
						  .step_aside = step_aside };
	struct group *group;
	int status = -1;
	if (group_make(&ceilings, &group, refusal) < 0)
		return -1;
	/* Without a signal at its end: an embedder may ignore that, or wait for any child of its. */
	pid_t pid = (pid_t)raw(SYS_clone, 0, 0, 0, 0, 0);
	if (pid == 0)
		raw(SYS_exit_group, enter_and_fork(group_entry(group)));
	while (pid > 0 && waitpid(pid, &status, __WALL) < 0 && errno == EINTR)
		;
	group_abandon(group);
	if (pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == TRIAL_HELD)
		return 0;
	return group_refuse(refusal, pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == TRIAL_FREE ?
			    "a cgroup was made, and its ceiling did not hold" :
			    "a cgroup was made, and no process could be put into it", lift);
}

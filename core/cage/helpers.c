/* cage/helpers.c - what is to run before the command begins, confined as it is. */
#include "config.h"

#include "cage/helpers.h"

#include "base/raw.h"
#include "cage/birth.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

enum { TRIES = 3, STREAMS = 3 };
#define SECOND UINT64_C(1000000000)

struct helper_task {
	const struct launch_helper *helper;
	const char *const *envp;
};

static IN_CHILD int helper_main(void *argument)
{
	const struct helper_task *task = argument;
	const char *const *program = task->helper->programs;
	unsigned long none = 0;
	raw(SYS_close_range, 0, ~0u, 0);
	for (int i = 0; i < STREAMS; i++)
		raw(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR, 0);
	raw(SYS_rt_sigprocmask, SIG_SETMASK, &none, 0, 8);
	for (; *program; program++)
		raw(SYS_execve, *program, task->helper->argv, task->envp);
	raw(SYS_exit_group, 127);
	return 127;
}

/* A second, or what is left of it until the deadline. */
static IN_CHILD struct timespec limit_of(const struct launch *launch)
{
	struct timespec now = { 0 };
	raw(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	uint64_t past = (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec, until = launch->helper_deadline;
	uint64_t left = until == 0 || until > past + SECOND ? SECOND : until > past ? until - past : 0;
	return (struct timespec){ .tv_sec = (time_t)(left / SECOND), .tv_nsec = (long)(left % SECOND) };
}

/* True where it says that all is well. */
static IN_CHILD bool start(struct helper_task *task, struct timespec limit, char *stack)
{
	int handle = -1, status = 0;
	int pid = clone(helper_main, stack, CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, task, &handle);
	if (pid < 0)
		return false;
	struct pollfd on = { .fd = handle, .events = POLLIN };
	bool ended = raw(SYS_ppoll, &on, 1, &limit, 0, 8) == 1;
	if (!ended)
		raw(SYS_kill, pid, SIGKILL);
	raw(SYS_wait4, pid, &status, 0, 0);
	raw(SYS_close, handle);
	return ended && status == 0;
}

void IN_CHILD helpers_start(const struct launch *launch, char *stack)
{
	for (size_t i = 0; i < launch->helper_count; i++) {
		struct helper_task task = { .helper = &launch->helpers[i], .envp = launch->envp };
		for (int tries = 0; tries < TRIES && !start(&task, limit_of(launch), stack); tries++)
			;
	}
}

/* macos/task.c - from the fork to the exec: the steps in the child, by system calls only. */
#include "config.h"

#include "macos/task.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/resource.h>

_Noreturn static void say(const struct task *task, uint32_t step, int sys)
{
	struct task_word word = { step, sys };
	ssize_t written = write(task->status, &word, sizeof(word));
	_exit(written == sizeof(word) ? 125 : 124);
}

/* The host's handlers must not run here; what it ignores stays ignored, as a shell would have it. */
static void reset_signals(void)
{
	for (int number = 1; number < NSIG; number++) {
		struct sigaction action;
		if (number == SIGKILL || number == SIGSTOP || sigaction(number, NULL, &action) < 0)
			continue;
		if (action.sa_handler == SIG_IGN && number != SIGCHLD)
			continue;
		action = (struct sigaction){ .sa_handler = SIG_DFL };
		sigaction(number, &action, NULL);
	}
}

static int own_session(const struct task *task)
{
	const struct launch *launch = task->launch;
	if (launch->own_terminal)
		return setsid() < 0 || ioctl(launch->terminal, TIOCSCTTY, 0) < 0 ? errno : 0;
	if (launch->own_session)
		return setsid() < 0 ? errno : 0;
	if (setpgid(0, 0) < 0)
		return errno;
	sigset_t output, before;
	sigemptyset(&output);
	sigaddset(&output, SIGTTOU);
	sigprocmask(SIG_BLOCK, &output, &before);
	int result = task->foreground && tcsetpgrp(launch->terminal, getpgrp()) < 0 ? errno : 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return result;
}

static int limit(const struct launch *launch)
{
	for (size_t i = 0; i < launch->limit_count; i++)
		if (setrlimit(launch->limits[i].resource, &launch->limits[i].value) < 0)
			return errno;
	if (launch->priority && setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + launch->priority) < 0)
		return errno;
	return 0;
}

static int put_streams(const struct task *task)
{
	for (int i = 0; i < 3; i++)
		if (dup2(task->streams[i], i) < 0)
			return errno;
	return 0;
}

static bool is_kept(const struct launch *launch, int fd)
{
	for (const int *kept = launch->kept; kept && *kept >= 0; kept++)
		if (*kept == fd)
			return true;
	return false;
}

static int close_others(const struct task *task)
{
	for (int fd = 3; fd < task->descriptors; fd++) {
		int flags = fcntl(fd, F_GETFD);
		bool kept = is_kept(task->launch, fd);
		if (flags >= 0 && fcntl(fd, F_SETFD, kept ? flags & ~FD_CLOEXEC : flags | FD_CLOEXEC) < 0)
			return errno;
		if (flags < 0 && kept)
			return EBADF;
	}
	return 0;
}

static void go_stage(const struct task *task, uint32_t stage, uint32_t step)
{
	const struct launch *launch = task->launch;
	int result = launch->arm ? launch->arm->enter(launch->plan, stage) : 0;
	if (result < 0)
		say(task, step, -result);
}

static void go(const struct task *task, uint32_t step, int sys)
{
	if (sys)
		say(task, step, sys);
}

_Noreturn void task_become(const struct task *task)
{
	const struct launch *launch = task->launch;
	sigset_t none;
	sigemptyset(&none);
	reset_signals();
	go_stage(task, PINFOLD_STAGE_VIEW, CHILD_STEP_VIEW);
	go(task, CHILD_STEP_SESSION, own_session(task));
	go(task, CHILD_STEP_RLIMIT, limit(launch));
	go_stage(task, PINFOLD_STAGE_APPLY, CHILD_STEP_APPLY);
	go_stage(task, PINFOLD_STAGE_VERIFY, CHILD_STEP_VERIFY);
	if (launch->plan && launch->plan->consumes)
		go_stage(task, PINFOLD_STAGE_CONSUME, CHILD_STEP_CONSUME);
	go(task, CHILD_STEP_FDS, put_streams(task));
	go(task, CHILD_STEP_FDS, close_others(task));
	go(task, CHILD_STEP_DIRECTORY, chdir(launch->directory) < 0 ? errno : 0);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execve(launch->program, (char *const *)launch->argv, (char *const *)launch->envp);
	say(task, CHILD_STEP_EXEC, errno);
}

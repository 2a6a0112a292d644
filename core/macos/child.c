/* macos/child.c - one running command on a Mac: started by a fork, followed by a queue of the kernel's events.
 *
 * There are no namespaces to begin ahead of the launch, and no supervisor: the host is the command's parent.
 * A watcher ends the command's group when the host is gone.
 */
#include "config.h"

#include "cage/foreground.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fault.h"
#include "cage/steps.h"
#include "macos/members.h"
#include "macos/task.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/event.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* How long a command that was told to end may take before it is said to be left. */
enum { END_MILLISECONDS = 10000 };

struct child {
	int queue;	/* readable when something has happened to a child */
	int lifeline;	/* the watcher's pipe */
	int terminal;
	pid_t command, watcher;
	bool own_session, in_front, over;
	uint64_t end_by;
	struct child_event last;
};

/* There is nothing to begin with: what is asked for is another system's. */
int child_begin(const struct launch *launch, uint64_t namespaces, struct embryo **ret_embryo,
		struct pinfold_error *err)
{
	(void)launch;
	(void)namespaces;
	(void)ret_embryo;
	return fault(err, PINFOLD_E_SYSTEM, ENOSYS, "begin a child", "macOS has no namespaces",
		     "use an arm that does without");
}

int child_adopt(struct embryo *embryo, const struct launch *launch)
{
	(void)embryo;
	(void)launch;
	return -1;
}

void child_lay(struct embryo *embryo, const struct launch *launch)
{
	(void)embryo;
	(void)launch;
}

void child_abandon(struct embryo *embryo)
{
	(void)embryo;
}

static void task_close(struct task *task)
{
	for (int i = 0; i < 3; i++)
		cleanup_fd(&task->streams[i]);
	cleanup_fd(&task->status);
}

/* Numbers past those of the streams, and not handed over. */
static int task_open(struct task *task, const struct launch *launch, int *ret_status)
{
	int ends[2];
	*task = (struct task){ .launch = launch, .streams = { -1, -1, -1 }, .status = -1,
			       .descriptors = getdtablesize() };
	for (int i = 0; i < 3; i++)
		if ((task->streams[i] = fcntl(launch->streams[i], F_DUPFD_CLOEXEC, 10)) < 0)
			return -1;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	task->status = fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
	close(ends[1]);
	*ret_status = ends[0];
	return task->status < 0 ? -1 : 0;
}

/* The command runs, or says on the pipe what failed. */
static int await_exec(int status, struct task_word *ret_word)
{
	ssize_t got;
	do
		got = read(status, ret_word, sizeof(*ret_word));
	while (got < 0 && errno == EINTR);
	if (got == 0)
		*ret_word = (struct task_word){ CHILD_STEP_NONE, 0 };
	return got == 0 || got == sizeof(*ret_word) ? 0 : -1;
}

static int open_queue(pid_t command)
{
	struct kevent events[2];
	int queue = kqueue();
	EV_SET(&events[0], command, EVFILT_PROC, EV_ADD, NOTE_EXIT, 0, NULL);
	EV_SET(&events[1], SIGCHLD, EVFILT_SIGNAL, EV_ADD, 0, 0, NULL);
	/* It may have ended already: then nothing is waited for. */
	if (queue >= 0 && kevent(queue, events, 1, NULL, 0, NULL) < 0 && errno != ESRCH) {
		close(queue);
		return -1;
	}
	if (queue >= 0)
		kevent(queue, events + 1, 1, NULL, 0, NULL);
	return queue;
}

static struct child *follow(pid_t command, const struct launch *launch, bool in_front)
{
	int ends[2] = { -1, -1 };
	struct child *child = calloc(1, sizeof(*child));
	if (!child || pipe2(ends, O_CLOEXEC) < 0) {
		free(child);
		return NULL;
	}
	*child = (struct child){ .lifeline = ends[1], .command = command, .own_session = launch->own_session || launch->own_terminal,
				 .in_front = in_front,
				 .terminal = launch->own_session || launch->own_terminal || launch->terminal < 0 ?
						     -1 : fcntl(launch->terminal, F_DUPFD_CLOEXEC, 10) };
	child->queue = open_queue(command);
	child->watcher = members_watch(command, ends[0]);
	close(ends[0]);
	if (child->queue >= 0 && child->watcher >= 0)
		return child;
	cleanup_fd(&child->queue);
	cleanup_fd(&child->lifeline);
	cleanup_fd(&child->terminal);
	free(child);
	return NULL;
}

static void end_unfollowed(pid_t command)
{
	kill(-command, SIGKILL);
	kill(command, SIGKILL);
	while (waitpid(command, NULL, 0) < 0 && errno == EINTR)
		;
}

static int start(const struct launch *launch, const struct task *task, int status, struct child **ret_child,
		 uint32_t *ret_step, struct pinfold_error *err)
{
	struct task_word word;
	pid_t command = fork();
	if (command == 0)
		task_become(task);
	close(task->status);
	if (command < 0)
		return steps_fault(launch, *ret_step = CHILD_STEP_SUPERVISE, errno, err);
	if (await_exec(status, &word) < 0)
		word = (struct task_word){ CHILD_STEP_SUPERVISE, EIO };
	struct child *child = word.step == CHILD_STEP_NONE ? follow(command, launch, task->foreground) : NULL;
	if (child) {
		*ret_child = child;
		return 0;
	}
	end_unfollowed(command);
	if (task->foreground && !launch->own_terminal)
		foreground_take(launch->terminal);
	*ret_step = word.step == CHILD_STEP_NONE ? CHILD_STEP_FOLLOW : word.step;
	return steps_fault(launch, *ret_step, word.step == CHILD_STEP_NONE ? errno : word.sys, err);
}

int child_start(const struct launch *launch, struct embryo *embryo, struct child **ret_child,
		uint32_t *ret_step, struct pinfold_error *err)
{
	struct task task;
	uint32_t step = CHILD_STEP_NONE;
	auto_close int status = -1;
	child_abandon(embryo);
	if (launch->plan && (launch->plan->through || launch->plan->namespaces))
		return fault(err, PINFOLD_E_SYSTEM, ENOSYS, "confine the command", "macOS has no namespaces",
			     "use an arm that does without");
	int result = task_open(&task, launch, &status);
	if (result < 0) {
		result = steps_fault(launch, step = CHILD_STEP_FDS, errno, err);
	} else {
		task.foreground = foreground_wanted(launch);
		result = start(launch, &task, status, ret_child, &step, err);
		task.status = -1;
	}
	task_close(&task);
	if (ret_step)
		*ret_step = step;
	return result;
}

int child_descriptor(const struct child *child)
{
	return child->queue;
}

pid_t child_supervisor(const struct child *child)
{
	return child->command;
}

static uint64_t nanoseconds_of(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

/* What is left in its group and session ends with it. */
static void note_over(struct child *child, int status, const struct rusage *used)
{
	child->over = true;
	child->last = (struct child_event){
		.kind = CHILD_OVER,
		.ending = WIFEXITED(status) ? PINFOLD_ENDED : PINFOLD_SIGNALLED,
		.value = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status),
		.user_nanoseconds = nanoseconds_of(used->ru_utime),
		.system_nanoseconds = nanoseconds_of(used->ru_stime),
		.peak_bytes = (uint64_t)used->ru_maxrss,
	};
	child->last.survivors = members_end(child->command, child->own_session, &child->last.left);
}

static void drain(const struct child *child)
{
	struct kevent events[4];
	struct timespec none = { 0 };
	kevent(child->queue, NULL, 0, events, 4, &none);
}

int child_event(struct child *child, struct child_event *ret_event, struct pinfold_error *err)
{
	int status;
	struct rusage used = { 0 };
	*ret_event = (struct child_event){ .kind = CHILD_NOTHING };
	if (!child->over) {
		drain(child);
		pid_t got = wait4(child->command, &status, WNOHANG | WUNTRACED, &used);
		if (got < 0 && errno != EINTR)
			return fault(err, PINFOLD_E_SYSTEM, errno, "follow the command", "this run",
				     "let nobody else wait for this process's children");
		if (got == child->command && WIFSTOPPED(status))
			*ret_event = (struct child_event){ .kind = CHILD_STOPPED, .value = WSTOPSIG(status) };
		else if (got == child->command)
			note_over(child, status, &used);
		else if (child->end_by && clock_nanoseconds() >= child->end_by)
			kill(child->command, SIGKILL);
	}
	if (child->over)
		*ret_event = child->last;
	return 0;
}

int child_signal(struct child *child, int signal_number)
{
	return child->over ? 0 : kill(-child->command, signal_number);
}

int child_end(struct child *child)
{
	if (child->over)
		return 0;
	if (child->end_by == 0)
		child->end_by = clock_nanoseconds() + END_MILLISECONDS * UINT64_C(1000000);
	kill(-child->command, SIGKILL);
	kill(child->command, SIGKILL);
	return 0;
}

uint64_t child_deadline(const struct child *child)
{
	return child->over ? 0 : child->end_by;
}

int child_to_foreground(struct child *child)
{
	if (child->terminal >= 0) {
		child->in_front = true;
		tcsetpgrp(child->terminal, child->command);
	}
	return child_signal(child, SIGCONT);
}

int child_to_background(struct child *child)
{
	if (child->terminal < 0)
		return 0;
	int result = child->in_front ? foreground_take(child->terminal) : 0;
	child->in_front = false;
	return result;
}

static void await_end(struct child *child)
{
	int status;
	struct rusage used = { 0 };
	pid_t got;
	while ((got = wait4(child->command, &status, 0, &used)) < 0 && errno == EINTR)
		;
	if (got == child->command)
		note_over(child, status, &used);
}

void child_free(struct child *child)
{
	if (!child)
		return;
	if (!child->over) {
		child_end(child);
		await_end(child);
	}
	kill(child->watcher, SIGKILL);
	while (waitpid(child->watcher, NULL, 0) < 0 && errno == EINTR)
		;
	cleanup_fd(&child->lifeline);
	cleanup_fd(&child->queue);
	cleanup_fd(&child->terminal);
	free(child);
}

/* Nothing is torn down behind the command. */
void child_leave(struct child *child, struct leaving *leaving)
{
	(void)leaving;
	child_free(child);
}

void leaving_await(struct leaving *leaving)
{
	(void)leaving;
}

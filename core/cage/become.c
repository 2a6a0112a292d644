/* cage/become.c - this very process becomes the command: the steps of a child, without one. */
#include "config.h"

#include "cage/become.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "cage/others.h"
#include "cage/steps.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

/* Where it got to, and what the arm was doing: a text that was made before, so that it is the same one in a
 * process and in its copy. */
struct progress {
	uint32_t step;
	int32_t sys;
	const char *doing;
};

static int at(struct progress *progress, uint32_t step, int error)
{
	progress->step = step;
	progress->sys = error;
	return error ? -1 : 0;
}

static int enter(const struct launch *launch, uint32_t stage, uint32_t step, struct progress *progress)
{
	const struct pinfold_plan *plan = launch->plan;
	int result = launch->arm->enter ? launch->arm->enter(plan, stage) : 0;
	if (result < 0 && PINFOLD_HAS(plan, failed))
		progress->doing = *plan->failed;
	return at(progress, step, result < 0 ? -result : 0);
}

static int limit(const struct launch *launch, struct progress *progress)
{
	for (size_t i = 0; i < launch->limit_count; i++)
		if (setrlimit(launch->limits[i].resource, &launch->limits[i].value) < 0)
			return at(progress, CHILD_STEP_RLIMIT, errno);
	errno = 0;
	int now = launch->priority ? getpriority(PRIO_PROCESS, 0) : 0;
	if (launch->priority && (errno || setpriority(PRIO_PROCESS, 0, now + launch->priority) < 0))
		return at(progress, CHILD_STEP_RLIMIT, errno);
	return 0;
}

static int confine(const struct launch *launch, struct progress *progress)
{
	if (enter(launch, PINFOLD_STAGE_APPLY, CHILD_STEP_APPLY, progress) < 0)
		return -1;
	return enter(launch, PINFOLD_STAGE_VERIFY, CHILD_STEP_VERIFY, progress);
}

static int fail(const struct launch *launch, const struct progress *progress, struct pinfold_error *err)
{
	struct launch told = *launch;
	struct pinfold_plan plan = *launch->plan;
	plan.failed = &progress->doing;
	told.plan = &plan;
	return steps_fault(&told, progress->step, progress->sys, err);
}

/* --- the rehearsal -------------------------------------------------------------------------------- */
static int rehearse(const struct launch *launch, struct progress *progress)
{
	if (limit(launch, progress) < 0 || confine(launch, progress) < 0)
		return -1;
	if (at(progress, CHILD_STEP_DIRECTORY, chdir(launch->directory) < 0 ? errno : 0) < 0)
		return -1;
	bool there = faccessat(AT_FDCWD, launch->program, X_OK, AT_EACCESS) == 0;
	return at(progress, CHILD_STEP_EXEC, there ? 0 : errno);
}

_Noreturn static void rehearse_and_tell(const struct launch *launch, int told)
{
	struct progress progress = { 0 };
	rehearse(launch, &progress);
	ssize_t written = write(told, &progress, sizeof(progress));
	_exit(written == sizeof(progress) ? 0 : 1);
}

/* Whoever ignores its children has them reaped by the system. */
static void reap(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static ssize_t hear(int from, struct progress *ret_progress)
{
	ssize_t got;
	do
		got = read(from, ret_progress, sizeof(*ret_progress));
	while (got < 0 && errno == EINTR);
	return got;
}

int become_rehearse(const struct launch *launch, struct pinfold_error *err)
{
	struct progress progress = { 0 };
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return fault(err, PINFOLD_E_SYSTEM, errno, "make a pipe", "to try the confinement first",
			     "raise the number of open files (ulimit -n)");
	pid_t pid = fork();
	if (pid == 0)
		rehearse_and_tell(launch, ends[1]);
	int sys = errno;
	close(ends[1]);
	ssize_t got = pid < 0 ? -1 : hear(ends[0], &progress);
	close(ends[0]);
	if (pid < 0)
		return fault(err, PINFOLD_E_SYSTEM, sys, "make a process", "to try the confinement first",
			     "raise the number of processes (ulimit -u)");
	reap(pid);
	if (got != sizeof(progress))
		progress = (struct progress){ CHILD_STEP_APPLY, EIO, "try it in a process of its own" };
	return progress.sys ? fail(launch, &progress, err) : 0;
}

/* --- for good -------------------------------------------------------------------------------------- */
/* Numbers past those of the streams: one may be another's place. */
static int copy_streams(const int streams[3], int copies[3], struct progress *progress)
{
	for (int i = 0; i < 3; i++)
		if ((copies[i] = fcntl(streams[i], F_DUPFD_CLOEXEC, 10)) < 0)
			return at(progress, CHILD_STEP_FDS, errno);
	return 0;
}

static bool is_kept(const int *kept, int fd)
{
	for (; kept && *kept >= 0; kept++)
		if (*kept == fd)
			return true;
	return false;
}

static int hand_over(const int copies[3], const int *kept, int most, struct progress *progress)
{
	for (int i = 0; i < 3; i++)
		if (dup2(copies[i], i) < 0)
			return at(progress, CHILD_STEP_FDS, errno);
	if (others_end_at_exec(most) < 0)
		return at(progress, CHILD_STEP_FDS, errno);
	for (; kept && *kept >= 0; kept++)
		if (fcntl(*kept, F_SETFD, 0) < 0)
			return at(progress, CHILD_STEP_FDS, errno);
	return 0;
}

/* What is ignored stays so, as a shell would have it; children's ends nobody may have asked to forget. */
static void open_signals(void)
{
	sigset_t none;
	sigemptyset(&none);
	signal(SIGCHLD, SIG_DFL);
	pthread_sigmask(SIG_SETMASK, &none, NULL);
}

static void execute(const struct launch *launch, const char *const *script, struct progress *progress)
{
	open_signals();
	execve(launch->program, (char *const *)launch->argv, (char *const *)launch->envp);
	if (errno == ENOEXEC)
		execve(script[0], (char *const *)script, (char *const *)launch->envp);
	at(progress, CHILD_STEP_EXEC, errno);
}

static void take_steps(const struct launch *launch, const char *const *script, const int copies[3],
		       struct progress *progress)
{
	int most = others_most();
	if (limit(launch, progress) < 0 || confine(launch, progress) < 0)
		return;
	if (launch->plan->consumes && enter(launch, PINFOLD_STAGE_CONSUME, CHILD_STEP_CONSUME, progress) < 0)
		return;
	if (hand_over(copies, launch->kept, most, progress) < 0)
		return;
	if (at(progress, CHILD_STEP_DIRECTORY, chdir(launch->directory) < 0 ? errno : 0) < 0)
		return;
	execute(launch, script, progress);
}

int become_command(const struct launch *launch, const char *const *script, bool *ret_changed,
		   struct pinfold_error *err)
{
	struct progress progress = { 0 };
	int copies[3] = { -1, -1, -1 };
	*ret_changed = copy_streams(launch->streams, copies, &progress) == 0;
	if (*ret_changed)
		take_steps(launch, script, copies, &progress);
	for (int i = 0; i < 3; i++)
		if (copies[i] >= 0 && !is_kept(launch->kept, copies[i]))
			close(copies[i]);
	return fail(launch, &progress, err);
}

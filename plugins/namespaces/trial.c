/* plugins/namespaces/trial.c - makes a plan's confinement in throw-away processes, to look from inside.
 * The processes are copies, so what goes wrong in them stays there. */
#include "config.h"

#include "calls.h"
#include "trial.h"

#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ssize_t written = write(fd, text, strlen(text));
	int result = written == (ssize_t)strlen(text) ? 0 : -errno;
	close(fd);
	return result;
}

int trial_map_ids(uid_t user, gid_t group)
{
	char text[64];
	int result = write_file("/proc/self/setgroups", "deny");
	snprintf(text, sizeof(text), "%u %u 1", user, user);
	if (result == 0)
		result = write_file("/proc/self/uid_map", text);
	snprintf(text, sizeof(text), "%u %u 1", group, group);
	if (result == 0)
		result = write_file("/proc/self/gid_map", text);
	return result;
}

static int raise_loopback(const struct pinfold_plan *plan)
{
	struct ifreq request = { .ifr_name = "lo" };
	if (!(plan->namespaces & CLONE_NEWNET))
		return 0;
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	request.ifr_flags = IFF_UP;
	int result = ioctl(fd, SIOCSIFFLAGS, &request) < 0 ? -errno : 0;
	close(fd);
	return result;
}

struct inner {
	const struct pinfold_host *host;
	const struct pinfold_plan *plan;
	long (*inside)(void *);
	void *context;
	uid_t user;
	gid_t group;
	struct trial *trial;	/* shared by all the processes */
};

/* Notes a step's result; true where it went well. */
static bool note(const struct inner *inner, uint32_t step, long result)
{
	inner->trial->step = step;
	if (result < 0)
		inner->trial->error = (int32_t)-result;
	return result >= 0;
}

static void await_end(long process)
{
	while (waitpid((pid_t)process, NULL, 0) < 0 && errno == EINTR)
		;
}

/* As fork, but without what a caller's library does then: a thread that is not in this copy may have
 * held the lock that it would wait for. */
static long copy_process(const struct pinfold_host *host, uint64_t namespaces)
{
	return call(host, SYS_clone, namespaces | SIGCHLD, 0, 0, 0, 0);
}

static void run_command(const struct inner *inner)
{
	if (note(inner, TRIAL_APPLY, stage_enter(inner->plan, PINFOLD_STAGE_APPLY)) &&
	    note(inner, TRIAL_VERIFY, stage_enter(inner->plan, PINFOLD_STAGE_VERIFY)) &&
	    note(inner, TRIAL_INSIDE, inner->inside(inner->context)))
		note(inner, TRIAL_DONE, 0);
	inner->trial->what = *inner->plan->failed;
	_exit(0);
}

static void run_init(const struct inner *inner)
{
	struct state *state = inner->plan->state;
	state->ahead = (struct ahead){ 0 };	/* what another process holds is of no use here */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (note(inner, TRIAL_MAP, trial_map_ids(inner->user, inner->group)) &&
	    note(inner, TRIAL_LOOPBACK, raise_loopback(inner->plan)) &&
	    note(inner, TRIAL_VIEW, stage_enter(inner->plan, PINFOLD_STAGE_VIEW))) {
		note(inner, TRIAL_FORK, 0);	/* before: the command notes its own steps */
		long command = copy_process(inner->host, 0);
		if (command == 0)
			run_command(inner);
		if (command < 0)
			note(inner, TRIAL_FORK, command);
		else
			await_end(command);
	}
	if (!inner->trial->what)
		inner->trial->what = *inner->plan->failed;
	_exit(0);
}

void trial_run(const struct pinfold_host *host, const struct pinfold_plan *plan,
	       long (*inside)(void *context), void *context, struct trial *ret_trial)
{
	*ret_trial = (struct trial){ .error = ENOMEM };
	struct trial *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return;
	struct inner inner = { host, plan, inside, context, geteuid(), getegid(), shared };
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);	/* the caller's handlers are not for copies */
	long child = copy_process(host, plan->namespaces);
	if (child == 0)
		run_init(&inner);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (child < 0)
		shared->error = (int32_t)-child;
	else
		await_end(child);
	*ret_trial = *shared;
	munmap(shared, sizeof(*shared));
}

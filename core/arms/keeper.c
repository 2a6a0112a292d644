/* arms/keeper.c - the process between the host and a probe: it ends everything that the probe began.
 *
 * A probe may fork, and what it forks may leave its group and its session. The keeper is the
 * subreaper of all that, so nothing can leave it: it kills children until it has none.
 */
#include "config.h"

#include "arms/keeper.h"

#include "arms/frames.h"
#include "arms/offer.h"
#include "arms/offspring.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fd.h"
#include "config/scope.h"
#include "registry/registry.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* Nothing of the host's reaches a plugin's code by accident: its handlers, its blocked signals, its
 * descriptors, its terminal. */
static void shed_host(const int *keep, size_t count)
{
	sigset_t none;
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int stream = 0; stream <= 2; stream++)
		if (null < 0)
			close(stream);
		else
			dup2(null, stream);
	int from = 3;
	for (size_t i = 0; i < count; i++) {
		if (keep[i] > from)
			syscall(SYS_close_range, from, keep[i] - 1, 0);
		from = keep[i] + 1;
	}
	syscall(SYS_close_range, from, ~0u, 0);
}

static void log_to_host(void *context, uint32_t level, const char *text)
{
	const struct keeper *keeper = context;
	frame_send(keeper->frames, FRAME_LOG, &level, sizeof(level), text,
		   strnlen(text, OFFER_TEXT_MOST));
}

static _Noreturn void probe_main(const struct keeper *keeper)
{
	struct pinfold_offer offer = { .size = sizeof(offer) };
	struct pinfold_error err = { 0 };
	struct rlimit no_core = { 0, 0 };
	setsid();
	offspring_follow();
	setrlimit(RLIMIT_CORE, &no_core);
	close(keeper->lifeline);
	keeper->host->scope->log = log_to_host;
	keeper->host->scope->log_context = (void *)keeper;
	if (keeper->arm->probe(keeper->host, &offer, &err) < 0) {
		registry_blame(&err, keeper->arm->name, "probe");
		frame_send(keeper->frames, FRAME_ERROR, &err, sizeof(err), NULL, 0);
	} else {
		struct text text = { 0 };
		offer_write(&text, &offer);
		frame_send(keeper->frames, FRAME_OFFER, text.data, text.length, NULL, 0);
	}
	_exit(0);
}

/* Until there is no child: the children of each that dies become ours. */
static void end_everything(pid_t probe, int *ret_status)
{
	for (;;) {
		int status;
		offspring_kill();
		pid_t ended = waitpid(-1, &status, offspring_all);
		if (ended < 0 && errno != EINTR)
			return;
		if (ended == probe)
			*ret_status = status;
	}
}

/* Waits for the probe's end; false when it was the time or the host that ended. */
static bool wait_for_end(const struct keeper *keeper, int pidfd)
{
	struct pollfd watched[] = { { pidfd, POLLIN, 0 }, { keeper->lifeline, POLLIN, 0 } };
	uint64_t start = clock_nanoseconds();
	for (;;) {
		uint64_t gone = clock_nanoseconds() - start;
		if (keeper->nanoseconds && gone >= keeper->nanoseconds)
			return false;
		uint64_t left = (keeper->nanoseconds - gone) / 1000000 + 1;
		int limit = !keeper->nanoseconds ? -1 : left > 1000000 ? 1000000 : (int)left;
		int ready = poll(watched, 2, limit);
		if (ready < 0 && errno != EINTR)
			return false;
		if (ready > 0 && watched[1].revents)
			return false;
		if (ready > 0 && watched[0].revents)
			return true;
	}
}

_Noreturn void keeper_main(const struct keeper *keeper)
{
	struct frame_ending ending = { FRAME_NOT_STARTED, 0 };
	int keep[] = { keeper->frames, keeper->lifeline };
	if (keep[0] > keep[1]) {
		keep[0] = keeper->lifeline;
		keep[1] = keeper->frames;
	}
	shed_host(keep, 2);
	offspring_adopt();
	pid_t probe = fork();
	if (probe == 0)
		probe_main(keeper);
	int pidfd = probe < 0 ? -1 : (int)syscall(SYS_pidfd_open, probe, 0);
	if (pidfd < 0)
		ending.value = errno;
	else
		ending.how = FRAME_LATE;
	bool ended = pidfd >= 0 && wait_for_end(keeper, pidfd);
	int status = 0;
	end_everything(probe, &status);
	if (ended) {
		ending.how = WIFSIGNALED(status) ? FRAME_KILLED : FRAME_EXITED;
		ending.value = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
	}
	frame_send(keeper->frames, FRAME_ENDING, &ending, sizeof(ending), NULL, 0);
	_exit(0);
}

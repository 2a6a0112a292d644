/* arms/probe.c - one arm's probe in a process of its own: it may crash, hang or leave things behind. */
#include "config.h"

#include "arms/probe.h"

#include "arms/frames.h"
#include "arms/keeper.h"
#include "arms/offer.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "config/scope.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

static const char ask_author[] = "tell the plugin's author, or take it out of [pinfold] plugins";
static const uint64_t grace = 1000000000u;	/* for the keeper to clean up after the limit */

/* What the host knows of a probe so far. */
struct probing {
	const struct pinfold_host *host;
	const struct pinfold_arm *arm;
	struct pinfold_offer offer;
	bool answered, over, absurd;
	struct frame_ending ending;
	struct text unread;
};

static void refuse(struct probing *probing, const char *missing, const char *lift)
{
	offer_refuse(&probing->offer, missing ? missing : "memory is gone", lift);
	probing->answered = true;
}

/* The probe failed by itself and said why. */
static void take_error(struct probing *probing, const struct pinfold_error *from)
{
	struct pinfold_error err = *from;
	err.action[sizeof(err.action) - 1] = '\0';
	err.subject[sizeof(err.subject) - 1] = '\0';
	err.recovery[sizeof(err.recovery) - 1] = '\0';
	const struct pinfold_host *host = probing->host;
	const char *lift = host->print(host, "%s", err.recovery);
	refuse(probing,
	       host->print(host, "cannot %s: %s%s%s", err.action, err.subject, err.sys ? ": " : "",
			   err.sys ? strerror(err.sys) : ""),
	       lift);
}

static void take_log(const struct probing *probing, const char *bytes, size_t count)
{
	uint32_t level;
	char *line = probing->host->allocate(probing->host, count);
	if (!line || count < sizeof(level))
		return;
	memcpy(&level, bytes, sizeof(level));
	memcpy(line, bytes + sizeof(level), count - sizeof(level));
	probing->host->log(probing->host, level, line);
}

static void take_frame(struct probing *probing, uint32_t kind, const char *bytes, size_t count)
{
	struct pinfold_error err;
	if (kind == FRAME_LOG) {
		take_log(probing, bytes, count);
	} else if (kind == FRAME_OFFER && !probing->answered) {
		probing->answered = true;
		probing->absurd =
			offer_read(probing->host->scope->arena, bytes, count, &probing->offer) < 0;
	} else if (kind == FRAME_ERROR && !probing->answered && count == sizeof(err)) {
		memcpy(&err, bytes, sizeof(err));
		take_error(probing, &err);
	} else if (kind == FRAME_ENDING && count == sizeof(probing->ending)) {
		memcpy(&probing->ending, bytes, sizeof(probing->ending));
		probing->over = true;
	} else {
		probing->absurd = true;
	}
}

/* Takes the whole frames that have come. */
static void take_frames(struct probing *probing)
{
	size_t at = 0;
	struct text *unread = &probing->unread;
	struct frame_head head;
	while (!probing->absurd && unread->length - at >= sizeof(head)) {
		memcpy(&head, unread->data + at, sizeof(head));
		if (unread->length - at - sizeof(head) < head.bytes)
			break;
		take_frame(probing, head.kind, unread->data + at + sizeof(head), head.bytes);
		at += sizeof(head) + head.bytes;
	}
	if (at > 0)
		memmove(unread->data, unread->data + at, unread->length - at);
	unread->length -= at;
}

/* Reads until the keeper has said how it ended, or until it is past its time. */
static void listen_to(struct probing *probing, int frames, uint64_t nanoseconds)
{
	char bytes[4096];
	size_t total = 0;
	uint64_t start = clock_nanoseconds();
	while (!probing->over && !probing->absurd) {
		struct pollfd watched = { frames, POLLIN, 0 };
		uint64_t gone = clock_nanoseconds() - start;
		if (nanoseconds && gone > nanoseconds + grace)
			return;
		if (poll(&watched, 1, nanoseconds ? 100 : -1) <= 0)
			continue;
		ssize_t got = read(frames, bytes, sizeof(bytes));
		if (got == 0 || (got < 0 && errno != EINTR))
			return;
		text_add_bytes(&probing->unread, bytes, got > 0 ? (size_t)got : 0);
		total += got > 0 ? (size_t)got : 0;
		probing->absurd = probing->unread.failed || total > FRAME_MOST;
		if (!probing->absurd)
			take_frames(probing);
	}
}

/* The last word: without an answer, the ending is the reason. */
static void conclude(struct probing *probing, uint64_t nanoseconds)
{
	const struct pinfold_host *host = probing->host;
	const char *name = probing->arm->name;
	const struct frame_ending *ending = &probing->ending;
	if (probing->absurd)
		refuse(probing, host->print(host, "probing %s gave an answer without sense", name),
		       ask_author);
	else if (!probing->over || ending->how == FRAME_LATE)
		refuse(probing,
		       host->print(host, "probing %s took longer than %llu ms", name,
				   (unsigned long long)(nanoseconds / 1000000)),
		       "raise [pinfold] probe-timeout where the machine is slow, or take the plugin "
		       "out of [pinfold] plugins");
	else if (ending->how == FRAME_NOT_STARTED)
		refuse(probing,
		       host->print(host, "no process to probe %s: %s", name,
				   strerror(ending->value)),
		       "end other processes, or raise the limit on them");
	else if (ending->how == FRAME_KILLED)
		refuse(probing,
		       host->print(host, "probing %s crashed with signal %d (%s)", name,
				   ending->value, strsignal(ending->value)),
		       ask_author);
	else if (!probing->answered)
		refuse(probing,
		       host->print(host, "probing %s ended without an answer (exit code %d)", name,
				   ending->value),
		       ask_author);
}

/* Makes a pipe whose ends are none of the three streams. */
static int make_pipe(int ends[2])
{
	int made[2];
	if (pipe2(made, O_CLOEXEC) < 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		ends[i] = fcntl(made[i], F_DUPFD_CLOEXEC, 3);
		close(made[i]);
	}
	return ends[0] < 0 || ends[1] < 0 ? -1 : 0;
}

/* Forks the keeper; the host keeps the reading end of frames and the writing end of the lifeline. */
static pid_t start_keeper(struct probing *probing, uint64_t nanoseconds, int *ret_frames,
			  int *ret_lifeline)
{
	int frames[2] = { -1, -1 }, lifeline[2] = { -1, -1 };
	pid_t pid = -1;
	if (make_pipe(frames) == 0 && make_pipe(lifeline) == 0)
		pid = fork();
	int reason = errno;
	if (pid == 0) {
		struct keeper keeper = { probing->host, probing->arm, nanoseconds, frames[1],
					 lifeline[0] };
		keeper_main(&keeper);
	}
	cleanup_fd(&frames[1]);
	cleanup_fd(&lifeline[0]);
	*ret_frames = frames[0];
	*ret_lifeline = lifeline[1];
	if (pid < 0)
		probing->ending = (struct frame_ending){ FRAME_NOT_STARTED, reason };
	return pid;
}

static void close_end(int *fd)
{
	cleanup_fd(fd);
	*fd = -1;
}

void probe_run(const struct pinfold_host *host, const struct pinfold_arm *arm, uint64_t nanoseconds,
	       struct pinfold_offer *ret_offer)
{
	struct probing probing = { .host = host, .arm = arm, .ending.how = FRAME_LATE };
	auto_close int frames = -1;
	auto_close int lifeline = -1;
	pid_t keeper = start_keeper(&probing, nanoseconds, &frames, &lifeline);
	if (keeper < 0)
		probing.over = true;
	else
		listen_to(&probing, frames, nanoseconds);
	if (keeper > 0 && !probing.over && !probing.absurd)
		kill(keeper, SIGKILL);
	/* Both pipes: what is full of words that nobody reads would hold the keeper up. */
	close_end(&lifeline);
	close_end(&frames);
	while (keeper > 0 && waitpid(keeper, NULL, 0) < 0 && errno == EINTR)
		;
	conclude(&probing, nanoseconds);
	offer_settle(host->scope->arena, &probing.offer, arm->name);
	text_release(&probing.unread);
	*ret_offer = probing.offer;
}

/* face/detached.c - runs whose handles were given up: a thread of the library's follows them to their end. */
#include "config.h"

#include "face/detached.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "face/face.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>

/* What the thread follows. */
struct followed {
	struct pinfold_run **runs;
	struct pollfd *on;	/* of each, and the pipe behind them */
	size_t count;
};

/* What there is no memory to follow is ended. */
static void take_new(struct detached *detached, struct followed *followed)
{
	size_t count = followed->count + detached->count;
	struct pinfold_run **runs = realloc(followed->runs, (count + 1) * sizeof(struct pinfold_run *));
	if (runs)
		followed->runs = runs;
	struct pollfd *on = realloc(followed->on, (count + 1) * sizeof(*on));
	if (on)
		followed->on = on;
	for (size_t i = 0; i < detached->count; i++) {
		if (runs && on)
			followed->runs[followed->count++] = detached->runs[i];
		else
			pinfold_run_free(detached->runs[i]);
	}
	detached->count = 0;
}

static bool is_over(struct pinfold_run *run)
{
	uint32_t state;
	return pinfold_run_poll(run, &state, NULL, NULL) < 0 || state == PINFOLD_OVER;
}

static void follow(struct followed *followed)
{
	size_t kept = 0;
	for (size_t i = 0; i < followed->count; i++) {
		if (is_over(followed->runs[i]))
			pinfold_run_free(followed->runs[i]);
		else
			followed->runs[kept++] = followed->runs[i];
	}
	followed->count = kept;
}

static void await_news(struct followed *followed, int wake)
{
	char bytes[64];
	int most = -1;
	if (!followed->on)
		return;
	for (size_t i = 0; i < followed->count; i++) {
		int due = pinfold_run_deadline(followed->runs[i]);
		followed->on[i] = (struct pollfd){ .fd = pinfold_run_descriptor(followed->runs[i]), .events = POLLIN };
		if (due >= 0 && (most < 0 || due < most))
			most = due;
	}
	followed->on[followed->count] = (struct pollfd){ .fd = wake, .events = POLLIN };
	if (poll(followed->on, (nfds_t)followed->count + 1, most) < 0 && errno != EINTR)
		return;
	while (read(wake, bytes, sizeof(bytes)) > 0)
		;
}

static void *detached_main(void *argument)
{
	struct detached *detached = argument;
	struct followed followed = { 0 };
	for (;;) {
		pthread_mutex_lock(&detached->lock);
		bool over = detached->over;
		take_new(detached, &followed);
		pthread_mutex_unlock(&detached->lock);
		if (over)
			break;
		follow(&followed);
		await_news(&followed, detached->wake[0]);
	}
	for (size_t i = 0; i < followed.count; i++)
		pinfold_run_free(followed.runs[i]);
	free(followed.runs);
	free(followed.on);
	return NULL;
}

static void tell(struct detached *detached)
{
	ssize_t told = write(detached->wake[1], "", 1);	/* a full pipe wakes as well */
	(void)told;
}

/* The caller's signals are for its own threads. */
static int start(struct detached *detached)
{
	sigset_t all, before;
	if (detached->wake[0] < 0 && pipe2(detached->wake, O_CLOEXEC | O_NONBLOCK) < 0)
		return errno;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int sys = pthread_create(&detached->thread, NULL, detached_main, detached);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	detached->started = sys == 0;
	return sys;
}

static int add(struct detached *detached, struct pinfold_run *run, struct pinfold_error *err)
{
	struct pinfold_run **runs = realloc(detached->runs, (detached->count + 1) * sizeof(struct pinfold_run *));
	if (!runs)
		return fault_no_memory(err);
	detached->runs = runs;
	int sys = detached->started ? 0 : start(detached);
	if (sys != 0)
		return fault(err, PINFOLD_E_SYSTEM, sys, "begin a thread", "to follow what was detached",
			     "raise the limit of processes (ulimit -u) or of open files (ulimit -n)");
	runs[detached->count++] = run;
	return 0;
}

int detached_add(struct detached *detached, struct pinfold_run *run, struct pinfold_error *err)
{
	pthread_mutex_lock(&detached->lock);
	int result = add(detached, run, err);
	pthread_mutex_unlock(&detached->lock);
	if (result == 0)
		tell(detached);
	return result;
}

void detached_release(struct detached *detached)
{
	pthread_mutex_lock(&detached->lock);
	bool started = detached->started;
	detached->over = true;
	pthread_mutex_unlock(&detached->lock);
	if (started) {
		tell(detached);
		pthread_join(detached->thread, NULL);
	}
	cleanup_fd(&detached->wake[0]);
	cleanup_fd(&detached->wake[1]);
	free(detached->runs);
	*detached = (struct detached)DETACHED_NONE;
}

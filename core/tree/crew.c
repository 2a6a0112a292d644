/* tree/crew.c - the threads of one sync, and the directories that wait for them. */
#include "config.h"

#include "base/clock.h"
#include "tree/stage.h"

#include <signal.h>
#include <stdlib.h>

/* A thread costs what looking at this many entries costs, or making this many files. */
enum { WORTH_LOOKS = 1000, WORTH_FILES = 24, MOST_THREADS = 64, STACK_BYTES = 512 * 1024 };

/* Looking at an entry takes a microsecond or two, unless its inode must come from the disk: then more
 * threads than processors wait for the disk at once. */
enum { COLD_NANOSECONDS = 25000, COLD_THREADS = 8 };

void crew_add(struct mirror *mirror, struct folder *first, size_t count)
{
	struct folder *last = NULL, *chain = NULL;
	for (struct folder *folder = first; folder; folder = folder->next_sibling) {
		if (folder->retained)
			continue;
		*(last ? &last->next_work : &chain) = folder;
		last = folder;
	}
	if (!last)
		return;
	pthread_mutex_lock(&mirror->lock);
	last->next_work = mirror->stack;
	mirror->stack = chain;
	mirror->waiting += count;
	mirror->pending += count;
	if (count > 1)
		pthread_cond_broadcast(&mirror->more);
	pthread_mutex_unlock(&mirror->lock);
}

/* The next folder, or NULL when all are done or the sync has failed. */
static struct folder *take(struct mirror *mirror)
{
	while (!mirror->stack && mirror->pending > 0 && !mirror->failed)
		pthread_cond_wait(&mirror->more, &mirror->lock);
	struct folder *folder = mirror->failed ? NULL : mirror->stack;
	if (folder) {
		mirror->stack = folder->next_work;
		mirror->waiting--;
	}
	return folder;
}

static void done(struct mirror *mirror, int result)
{
	mirror->pending--;
	if (result < 0)
		mirror->failed = 1;
	if (result < 0 || mirror->pending == 0)
		pthread_cond_broadcast(&mirror->more);
}

static void add_figures(struct mirror_work *sum, const struct mirror_work *more)
{
	sum->walked += more->walked;
	sum->created += more->created;
	sum->rewritten += more->rewritten;
	sum->removed += more->removed;
	sum->bytes += more->bytes;
	sum->skipped += more->skipped;
}

static struct worker *worker_new(struct mirror *mirror)
{
	struct worker *worker = calloc(1, sizeof(*worker));
	if (worker)
		*worker = (struct worker){ .mirror = mirror, .stage_fd = -1 };
	return worker;
}

static void worker_free(struct worker *worker)
{
	pthread_mutex_lock(&worker->mirror->lock);
	add_figures(&worker->mirror->work, &worker->work);
	pthread_mutex_unlock(&worker->mirror->lock);
	stage_leave(worker);
	text_release(&worker->path);
	listing_release(&worker->source);
	listing_release(&worker->copy);
	free(worker->drafts);
	free(worker->carry);
	free(worker);
}

static void *work_along(void *context)
{
	struct mirror *mirror = context;
	struct worker *worker = worker_new(mirror);
	if (!worker)
		return NULL;
	pthread_mutex_lock(&mirror->lock);
	for (struct folder *folder; (folder = take(mirror));) {
		pthread_mutex_unlock(&mirror->lock);
		int result = folder_bring(worker, folder);
		pthread_mutex_lock(&mirror->lock);
		done(mirror, result);
	}
	pthread_mutex_unlock(&mirror->lock);
	worker_free(worker);
	return NULL;
}

/* The threads get no signals: those are the caller's. */
static unsigned start_threads(struct mirror *mirror, pthread_t *threads, unsigned wanted)
{
	unsigned started = 0;
	sigset_t all, before;
	pthread_attr_t attributes;
	if (wanted == 0 || pthread_attr_init(&attributes) != 0)
		return 0;
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (started < wanted &&
	       pthread_create(&threads[started], &attributes, work_along, mirror) == 0)
		started++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return started;
}

static bool is_worth_threads(const struct worker *worker)
{
	const struct mirror *mirror = worker->mirror;
	const struct index *old = mirror->order->old;
	if (mirror->waiting < 2)
		return false;
	return (old && old->header->count > 2 * WORTH_LOOKS) || mirror->files > WORTH_LOOKS ||
	       worker->work.created + worker->work.rewritten > WORTH_FILES;
}

static unsigned threads_wanted(const struct worker *worker, uint64_t began)
{
	const struct mirror_order *order = worker->mirror->order;
	uint64_t looks = worker->work.walked;
	bool cold = order->old && looks > 0 && worker->work.created + worker->work.rewritten == 0 &&
		    (clock_nanoseconds() - began) / looks > COLD_NANOSECONDS;
	if (order->threads > 0)
		return order->threads < MOST_THREADS ? order->threads : MOST_THREADS;
	return cold && order->processors < COLD_THREADS ? COLD_THREADS : order->processors;
}

/* The caller's thread works as well, and calls others when there is enough to do. */
void crew_run(struct mirror *mirror)
{
	pthread_t threads[MOST_THREADS];
	uint64_t began = clock_nanoseconds();
	unsigned started = 0;
	struct worker *worker = worker_new(mirror);
	if (!worker) {
		mirror->failed = 1;
		trouble_memory(mirror);
		return;
	}
	crew_add(mirror, &mirror->root, 1);
	pthread_mutex_lock(&mirror->lock);
	for (struct folder *folder; (folder = take(mirror));) {
		pthread_mutex_unlock(&mirror->lock);
		int result = folder_bring(worker, folder);
		pthread_mutex_lock(&mirror->lock);
		done(mirror, result);
		if (started == 0 && is_worth_threads(worker))
			started = start_threads(mirror, threads, threads_wanted(worker, began) - 1);
	}
	pthread_mutex_unlock(&mirror->lock);
	for (unsigned i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	worker_free(worker);
}

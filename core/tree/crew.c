/* tree/crew.c - threads that work through directories, and the directories that wait for them. */
#include "config.h"

#include "tree/crew.h"

#include "tree/stamp.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>

enum { IDLE_NANOSECONDS = 100000000 };
enum { MOST_THREADS = 64, STACK_BYTES = 512 * 1024 };

/* Nobody waits who looks at an entry, unless its inode must come from the disk: then more threads than
 * processors wait for the disk at once. A whole block of them comes at a time. */
enum { COLD_LOOKS = 64, COLD_LOOKS_PER_WAIT = 50, COLD_THREADS = 32 };
/* After so many tasks it is known how that is. */
enum { MOST_ASKED = 2000 };

void crew_start(struct crew *crew, const struct crew_craft *craft, void *context)
{
	*crew = (struct crew){ .craft = craft, .context = context };
	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->more, NULL);
}

void crew_stop(struct crew *crew)
{
	pthread_cond_destroy(&crew->more);
	pthread_mutex_destroy(&crew->lock);
}

void crew_add(struct crew *crew, struct crew_task *first)
{
	size_t count = 1;
	struct crew_task *last = first;
	if (!first)
		return;
	for (; last->next; last = last->next)
		count++;
	pthread_mutex_lock(&crew->lock);
	last->next = crew->stack;
	crew->stack = first;
	crew->waiting += count;
	crew->pending += count;
	if (count > 1)
		pthread_cond_broadcast(&crew->more);
	pthread_mutex_unlock(&crew->lock);
}

void crew_end(struct crew *crew)
{
	pthread_mutex_lock(&crew->lock);
	crew->failed = 1;
	pthread_cond_broadcast(&crew->more);
	pthread_mutex_unlock(&crew->lock);
}

/* `idle` NULL: not the caller's own, or it has nothing else to do. */
static void wait_for_more(struct crew *crew, void (*idle)(void *), void *worker)
{
	struct timespec until = stamp_time(stamp_now() + IDLE_NANOSECONDS);
	if (!idle) {
		pthread_cond_wait(&crew->more, &crew->lock);
	} else if (pthread_cond_timedwait(&crew->more, &crew->lock, &until) == ETIMEDOUT) {
		pthread_mutex_unlock(&crew->lock);
		idle(worker);
		pthread_mutex_lock(&crew->lock);
	}
}

/* The next task, or NULL when all are done or one has failed. */
static struct crew_task *take(struct crew *crew, void (*idle)(void *), void *worker)
{
	while (!crew->stack && crew->pending > 0 && !crew->failed)
		wait_for_more(crew, idle, worker);
	struct crew_task *task = crew->failed ? NULL : crew->stack;
	if (task) {
		crew->stack = task->next;
		crew->waiting--;
	}
	return task;
}

static void done(struct crew *crew, int result)
{
	crew->pending--;
	if (result < 0)
		crew->failed = 1;
	if (result < 0 || crew->pending == 0)
		pthread_cond_broadcast(&crew->more);
}

static void *work_along(void *context)
{
	struct crew *crew = context;
	void *worker = crew->craft->hire(crew);
	if (!worker)
		return NULL;
	pthread_mutex_lock(&crew->lock);
	for (struct crew_task *task; (task = take(crew, NULL, NULL));) {
		pthread_mutex_unlock(&crew->lock);
		int result = crew->craft->work(worker, task);
		pthread_mutex_lock(&crew->lock);
		done(crew, result);
	}
	pthread_mutex_unlock(&crew->lock);
	crew->craft->dismiss(worker);
	return NULL;
}

/* A kernel below a hypervisor leaves a thread that begins with its maker's processor, to wait there for its
 * turn, while another processor sleeps. So it is sent away and may at once run anywhere again; one that is
 * elsewhere already stays there. */
static void send_away(pthread_t thread)
{
	cpu_set_t all, others;
	int here = sched_getcpu();
	if (here < 0 || here >= CPU_SETSIZE || sched_getaffinity(0, sizeof(all), &all) < 0)
		return;
	others = all;
	CPU_CLR(here, &others);
	if (CPU_COUNT(&others) > 0 && pthread_setaffinity_np(thread, sizeof(others), &others) == 0)
		pthread_setaffinity_np(thread, sizeof(all), &all);
}

/* The threads get no signals: those are the caller's. */
static unsigned start_threads(struct crew *crew, pthread_t *threads, unsigned wanted)
{
	unsigned started = 0;
	sigset_t all, before;
	pthread_attr_t attributes;
	if (wanted == 0 || pthread_attr_init(&attributes) != 0)
		return 0;
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (started < wanted && started < MOST_THREADS &&
	       pthread_create(&threads[started], &attributes, work_along, crew) == 0)
		send_away(threads[started++]);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return started;
}

unsigned crew_lookers(uint64_t looks, uint64_t waits, unsigned processors)
{
	bool cold = looks >= COLD_LOOKS && waits > looks / COLD_LOOKS_PER_WAIT;
	return cold && processors < COLD_THREADS ? COLD_THREADS : processors;
}

/* How often this thread has had to wait. The time that it took says less: others may have had the processor. */
static uint64_t waits(void)
{
	struct rusage usage;
	return getrusage(RUSAGE_THREAD, &usage) == 0 ? (uint64_t)usage.ru_nvcsw : 0;
}

/* Calls more threads where they are wanted. */
static unsigned call_threads(struct crew *crew, const void *worker, uint64_t before, pthread_t *threads,
			     unsigned started)
{
	unsigned wanted = crew->waiting < 2 ? 0 : crew->craft->wanted(worker, waits() - before);
	if (wanted > MOST_THREADS)
		wanted = MOST_THREADS;
	return wanted > started + 1 ? started + start_threads(crew, threads + started, wanted - 1 - started) :
				      started;
}

int crew_run(struct crew *crew)
{
	pthread_t threads[MOST_THREADS];
	uint64_t before = waits();
	unsigned started = 0, asked = 0;
	void *worker = crew->craft->hire(crew);
	if (!worker) {
		errno = ENOMEM;
		return -1;
	}
	pthread_mutex_lock(&crew->lock);
	for (struct crew_task *task; (task = take(crew, crew->craft->idle, worker));) {
		pthread_mutex_unlock(&crew->lock);
		int result = crew->craft->work(worker, task);
		pthread_mutex_lock(&crew->lock);
		done(crew, result);
		if (started == 0 || (started + 1 < COLD_THREADS && asked++ < MOST_ASKED))
			started = call_threads(crew, worker, before, threads, started);
	}
	pthread_mutex_unlock(&crew->lock);
	for (unsigned i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	crew->craft->dismiss(worker);
	errno = 0;
	return crew->failed ? -1 : 0;
}

/* cli/serve_pool.c - threads for what takes its time. */
#include "config.h"

#include "serve_pool.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void add(struct task ***end, struct task *task)
{
	task->next = NULL;
	**end = task;
	*end = &task->next;
}

static struct task *take(struct task **first, struct task ***end)
{
	struct task *task = *first;
	if (task && !(*first = task->next))
		*end = first;
	return task;
}

int pool_open(struct pool *pool)
{
	*pool = (struct pool){ .bell = { -1, -1 } };
	pool->waiting_end = &pool->waiting;
	pool->done_end = &pool->done;
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->more, NULL);
	return pipe2(pool->bell, O_CLOEXEC | O_NONBLOCK);
}

static void ring(const struct pool *pool)
{
	ssize_t ignored = write(pool->bell[1], "", 1);	/* a full pipe rings already */
	(void)ignored;
}

static void *work(void *argument)
{
	struct pool *pool = argument;
	pthread_mutex_lock(&pool->lock);
	for (;;) {
		struct task *task = take(&pool->waiting, &pool->waiting_end);
		if (!task && pool->over)
			break;
		if (!task) {
			pool->idle++;
			pthread_cond_wait(&pool->more, &pool->lock);
			pool->idle--;
			continue;
		}
		pthread_mutex_unlock(&pool->lock);
		task->work(task);
		pthread_mutex_lock(&pool->lock);
		add(&pool->done_end, task);
		ring(pool);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

/* The pool is locked. */
static int begin_thread(struct pool *pool)
{
	if (pool->count == pool->room) {
		size_t room = pool->room ? 2 * pool->room : 8;
		pthread_t *threads = realloc(pool->threads, room * sizeof(*threads));
		if (!threads)
			return -1;
		pool->threads = threads;
		pool->room = room;
	}
	if (pthread_create(&pool->threads[pool->count], NULL, work, pool) != 0)
		return -1;
	pool->count++;
	return 0;
}

/* The pool is locked. */
static size_t waiting(const struct pool *pool)
{
	size_t count = 0;
	for (const struct task *task = pool->waiting; task; task = task->next)
		count++;
	return count;
}

/* Without a thread the server does it itself: it is slow then, and right. */
void pool_add(struct pool *pool, struct task *task)
{
	pthread_mutex_lock(&pool->lock);
	add(&pool->waiting_end, task);
	int begun = waiting(pool) > pool->idle ? begin_thread(pool) : 0;
	if (begun < 0 && pool->count == 0) {
		take(&pool->waiting, &pool->waiting_end);
		pthread_mutex_unlock(&pool->lock);
		task->work(task);
		pthread_mutex_lock(&pool->lock);
		add(&pool->done_end, task);
		ring(pool);
	}
	pthread_cond_signal(&pool->more);
	pthread_mutex_unlock(&pool->lock);
}

void pool_finish(struct pool *pool)
{
	char bytes[64];
	while (read(pool->bell[0], bytes, sizeof(bytes)) > 0)
		;
	for (;;) {
		pthread_mutex_lock(&pool->lock);
		struct task *task = take(&pool->done, &pool->done_end);
		pthread_mutex_unlock(&pool->lock);
		if (!task)
			return;
		task->finish(task);
	}
}

void pool_close(struct pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	pool->over = 1;
	pthread_cond_broadcast(&pool->more);
	pthread_mutex_unlock(&pool->lock);
	for (size_t i = 0; i < pool->count; i++)
		pthread_join(pool->threads[i], NULL);
	pool_finish(pool);
	close(pool->bell[0]);
	close(pool->bell[1]);
	free(pool->threads);
}

/* cli/serve_pool.h - threads for what takes its time, so that the server itself never waits. */
#ifndef CLI_SERVE_POOL_H
#define CLI_SERVE_POOL_H

#include <pthread.h>
#include <stddef.h>

/* Something to be done by a thread, then finished by the server's own. Embedded in what it is about. */
struct task {
	void (*work)(struct task *);	/* in a thread */
	void (*finish)(struct task *);	/* in the server's, when that has called pool_finish */
	struct task *next;
};

struct pool {
	pthread_mutex_t lock;
	pthread_cond_t more;
	struct task *waiting, **waiting_end, *done, **done_end;
	pthread_t *threads;
	size_t count, idle, room;
	int bell[2];	/* a pipe: readable when something is done */
	int over;
};

int pool_open(struct pool *pool);
/* Never waits. As many threads as there are tasks at once: one may be waiting for what another does. */
void pool_add(struct pool *pool, struct task *task);
/* Finishes what is done. */
void pool_finish(struct pool *pool);
/* Waits for the threads; every task is finished. */
void pool_close(struct pool *pool);

#endif

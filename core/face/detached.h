/* face/detached.h - runs whose handles were given up: a thread of the library's follows them to their end. */
#ifndef FACE_DETACHED_H
#define FACE_DETACHED_H

#include <pinfold/error.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct pinfold_run;

struct detached {
	pthread_mutex_t lock;
	pthread_t thread;
	bool started, over;
	int wake[2];	/* a pipe, once it was started */
	struct pinfold_run **runs;	/* that the thread has not taken yet */
	size_t count;
};
#define DETACHED_NONE { .lock = PTHREAD_MUTEX_INITIALIZER, .wake = { -1, -1 } }

/* Takes the run, unless it fails. */
int detached_add(struct detached *detached, struct pinfold_run *run, struct pinfold_error *err);
/* Ends those that still run. */
void detached_release(struct detached *detached);

#endif

/* tree/crew.h - threads that work through directories, and the directories that wait for them. */
#ifndef TREE_CREW_H
#define TREE_CREW_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first member of what is worked on. */
struct crew_task {
	struct crew_task *next;
};

struct crew;

struct crew_craft {
	/* What one thread works with; NULL when memory is gone. */
	void *(*hire)(struct crew *crew);
	/* Does one task, and adds those that it brings. 0, or -1 when all is to end. */
	int (*work)(void *worker, struct crew_task *task);
	void (*dismiss)(void *worker);
	/* How many threads are worth it, after what this worker did while it had to wait so many times; below
	 * 2: not yet. Called after tasks of the first thread: more can be wanted later. */
	unsigned (*wanted)(const void *worker, uint64_t waits);
	/* Called about ten times a second by the caller's thread while there is nothing for it. NULL: not. */
	void (*idle)(void *worker);
};

struct crew {
	const struct crew_craft *craft;
	void *context;		/* for `hire` */
	pthread_mutex_t lock;	/* for what follows */
	pthread_cond_t more;
	struct crew_task *stack;	/* what nobody works on yet */
	size_t waiting, pending;
	_Atomic int failed;
};

void crew_start(struct crew *crew, const struct crew_craft *craft, void *context);
void crew_stop(struct crew *crew);
/* Adds a chain of tasks. */
void crew_add(struct crew *crew, struct crew_task *first);
/* Works until no task is left. The caller's thread works as well, and calls others when there is enough to
 * do. 0, or -1 where a task failed; -1 with errno ENOMEM where none could be begun. */
int crew_run(struct crew *crew);
/* All is to end, as when a task failed. */
void crew_end(struct crew *crew);

/* Looking at this many entries costs what a thread costs. */
enum { CREW_WORTH_LOOKS = 400 };
/* How many threads for looking at entries: more where inodes come from the disk. */
unsigned crew_lookers(uint64_t looks, uint64_t waits, unsigned processors);

#endif

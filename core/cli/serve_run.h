/* cli/serve_run.h - one run of a server: its streams, what is captured of it, and what is told of it. */
#ifndef CLI_SERVE_RUN_H
#define CLI_SERVE_RUN_H

#include "serve_answers.h"
#include "serve_pool.h"
#include "serve_order.h"

#include <poll.h>

enum run_state { RUN_QUEUED = 0, RUN_STARTING, RUN_RUNNING, RUN_ENDING, RUN_ENDED };

/* What was written to a stream, as far as it is kept. */
struct capture {
	int fd;			/* of the pipe; -1: nothing is captured, or no more */
	char *data;
	size_t length, room;
	uint64_t dropped;
};

struct server;

struct served {
	struct task task;	/* first: a task of the pool is its run */
	struct server *server;
	struct pinfold *pinfold;
	struct order order;
	enum run_state state;
	bool background;	/* it was handed over: its end is told to who reaps */
	bool cancelled;	/* read by a thread that starts it */
	bool refused;	/* it never ran, for this: */
	struct pinfold_error err;
	struct pinfold_run *run;
	struct capture captures[2];	/* standard output, standard error */
	uint64_t asked, started;	/* CLOCK_MONOTONIC, nanoseconds; the latter 0 before */
	uint64_t hand_by;	/* when it is to be handed to the background; 0: never */
	struct pinfold_result result;
	char *receipt;
};

uint64_t run_now(void);
/* Takes the order. NULL when memory is gone, and the order is released. */
struct served *run_make(struct server *server, struct pinfold *pinfold, struct order *order);
void run_free(struct served *served);

/* In a thread: prepares and starts it; fills `run`, or `err`. */
void run_start(struct served *served);
/* In a thread, when it is over: settles it. */
void run_settle(struct served *served);

/* What to poll for: how many of the three were filled. */
int run_watch(const struct served *served, struct pollfd *on);
/* Milliseconds until something is due; -1: nothing is. */
int run_due(const struct served *served);
/* Does what is due; true when it is over. */
bool run_follow(struct served *served);
/* Takes what is in the pipes. */
void run_drain(struct served *served);
void run_cancel(struct served *served);

json_t *run_started_event(const struct served *served);
json_t *run_ended_event(const struct served *served, json_t *id);
json_t *run_listed(const struct served *served);

#endif

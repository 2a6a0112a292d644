/* cli/serve_server.h - what a server knows: its runs, what they wait for, and who waits for them. */
#ifndef CLI_SERVE_SERVER_H
#define CLI_SERVE_SERVER_H

#include "serve_answers.h"
#include "serve_pool.h"
#include "serve_lines.h"
#include "serve_run.h"

/* A request that waits for a run. */
struct waiting {
	json_t *id, *run;
	uint64_t until;	/* 0: for ever */
};

struct server {
	struct pinfold *pinfold;
	struct lines lines;
	struct answers answers;
	struct pool pool;
	struct served **runs;	/* in the order of their requests */
	size_t count, room;
	struct waiting *waits;
	size_t wait_count;
	size_t errands;		/* requests other than runs that are being worked on */
	size_t most;		/* runs side by side; further ones wait for their turn */
	int *inherited;		/* descriptors that requests may name; -1-terminated */
	bool over;		/* the client is gone: everything is being ended */
	bool drains;		/* what was asked for is brought to its end first, where the input ends */
	int signal_number;	/* that ended it; 0: none did */
};

/* --- serve_requests.c: one request each --- */
/* Takes the message. */
void server_take(struct server *server, json_t *message);
void server_refuse(struct server *server, json_t *id, const struct pinfold_error *err);

/* --- serve_runs.c: the runs of a server --- */
struct served *server_find(const struct server *server, const json_t *id);
/* Takes the order. */
void server_add_run(struct server *server, struct order *order);
/* Starts those whose turn it is. */
void server_start_runs(struct server *server);
/* Does what is due of each. */
void server_follow_runs(struct server *server);
/* One whose turn has not come is told as refused. */
void server_drop_run(struct served *served);
void server_hand_over(struct server *server, struct served *served);
/* Tells the ends of those in the background that have ended, once. */
void server_reap(struct server *server, json_t *id);
/* Takes nothing; the answer comes when the run has ended, or `milliseconds` (where `limited`) have passed. */
void server_wait_for(struct server *server, json_t *id, struct served *served, bool limited,
		     uint64_t milliseconds);
void server_cancel_all(struct server *server);
/* Is anything of it still going on? */
bool server_is_busy(const struct server *server);

/* --- serve_errands.c: requests other than runs that take their time. Takes the order. --- */
void server_add_errand(struct server *server, struct order *order);

#endif

/* cli/serve_runs.c - the runs of a server: begun in their turn, handed over, reaped. */
#include "config.h"

#include "serve_server.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS_MOST = 1024 };

struct served *server_find(const struct server *server, const json_t *id)
{
	for (size_t i = 0; i < server->count; i++)
		if (json_equal(server->runs[i]->order.id, id))
			return server->runs[i];
	return NULL;
}

static void forget(struct server *server, struct served *served)
{
	size_t kept = 0;
	for (size_t i = 0; i < server->count; i++)
		if (server->runs[i] != served)
			server->runs[kept++] = server->runs[i];
	server->count = kept;
	run_free(served);
}

/* --- waiting for one ------------------------------------------------------------------------------ */
static void answer_wait(struct server *server, size_t index, const char *state)
{
	struct waiting *wait = &server->waits[index];
	json_t *answer = answer_new(wait->id, "waited");
	answer_put(answer, "run", json_incref(wait->run));
	answer_put(answer, "state", json_string(state));
	answers_add(&server->answers, answer);
	json_decref(wait->id);
	json_decref(wait->run);
	server->waits[index] = server->waits[--server->wait_count];
}

static void answer_waits_for(struct server *server, const struct served *served)
{
	for (size_t i = server->wait_count; i > 0; i--)
		if (json_equal(server->waits[i - 1].run, served->order.id))
			answer_wait(server, i - 1, "ended");
}

static void answer_late_waits(struct server *server)
{
	uint64_t now = run_now();
	for (size_t i = server->wait_count; i > 0; i--)
		if (server->waits[i - 1].until && now >= server->waits[i - 1].until)
			answer_wait(server, i - 1, "running");
}

void server_wait_for(struct server *server, json_t *id, struct served *served, bool limited,
		     uint64_t milliseconds)
{
	size_t count = server->wait_count;
	struct waiting *waits = realloc(server->waits, (count + 1) * sizeof(*waits));
	if (!waits) {
		server->answers.broken = true;
		return;
	}
	server->waits = waits;
	waits[count] = (struct waiting){
		.id = json_incref(id), .run = json_incref(served->order.id),
		.until = limited ? run_now() + milliseconds * 1000000 + 1 : 0,
	};
	server->wait_count++;
	if (served->state == RUN_ENDED)
		answer_waits_for(server, served);
}

/* --- from one state to the next ------------------------------------------------------------------- */
static struct served *served_of(struct task *task)
{
	return (struct served *)task;
}

/* Over: told at once, or kept until somebody reaps it. */
static void end_run(struct served *served)
{
	struct server *server = served->server;
	served->state = RUN_ENDED;
	answer_waits_for(server, served);
	if (served->background && !server->over)
		return;
	answers_add(&server->answers, run_ended_event(served, served->order.id));
	forget(server, served);
}

static void work_start(struct task *task)
{
	run_start(served_of(task));
}

static void work_settle(struct task *task)
{
	run_settle(served_of(task));
}

static void finish_settle(struct task *task)
{
	end_run(served_of(task));
}

static void finish_start(struct task *task)
{
	struct served *served = served_of(task);
	if (served->refused) {
		end_run(served);
		return;
	}
	served->state = RUN_RUNNING;
	if (served->order.limited)
		served->hand_by = served->started + served->order.limit * 1000000 + 1;
	answers_add(&served->server->answers, run_started_event(served));
	if (served->cancelled)
		run_cancel(served);
}

static void begin(struct served *served, enum run_state state, void (*work)(struct task *),
		  void (*finish)(struct task *))
{
	served->state = state;
	served->task.work = work;
	served->task.finish = finish;
	pool_add(&served->server->pool, &served->task);
}

/* Those in the background take nobody's turn. */
static size_t in_front(const struct server *server)
{
	size_t count = 0;
	for (size_t i = 0; i < server->count; i++) {
		const struct served *served = server->runs[i];
		count += !served->background && served->state != RUN_QUEUED && served->state != RUN_ENDED;
	}
	return count;
}

void server_start_runs(struct server *server)
{
	size_t busy = in_front(server);
	for (size_t i = 0; i < server->count && !server->over; i++) {
		struct served *served = server->runs[i];
		if (served->state != RUN_QUEUED || (busy >= server->most && !served->background))
			continue;
		busy += !served->background;
		begin(served, RUN_STARTING, work_start, finish_start);
	}
}

static int make_room(struct server *server)
{
	if (server->count < server->room)
		return 0;
	size_t room = server->room ? 2 * server->room : 16;
	struct served **runs = realloc(server->runs, room * sizeof(*runs));
	if (!runs)
		return -1;
	server->runs = runs;
	server->room = room;
	return 0;
}

static void tell_handed(struct served *served)
{
	json_t *event = answer_new(served->order.id, "handed");
	answers_add(&served->server->answers, event);
}

void server_add_run(struct server *server, struct order *order)
{
	struct pinfold_error err = { 0 };
	if (server->count >= RUNS_MOST) {
		pinfold_fail(&err, PINFOLD_E_BUSY, 0, "take one more run", "1,024 are there, those not reaped among them",
			     "wait for some to end, and reap those in the background");
		server_refuse(server, order->id, &err);
		order_release(order);
		return;
	}
	struct served *served = make_room(server) < 0 ? NULL : run_make(server, server->pinfold, order);
	if (!served) {
		server->answers.broken = true;	/* memory is gone */
		return;
	}
	served->background = served->order.background;
	server->runs[server->count++] = served;
	if (served->background)
		tell_handed(served);
}

void server_drop_run(struct served *served)
{
	end_run(served);
}

void server_hand_over(struct server *server, struct served *served)
{
	(void)server;
	if (served->background)
		return;
	served->background = true;
	tell_handed(served);
}

void server_follow_runs(struct server *server)
{
	uint64_t now = run_now();
	answer_late_waits(server);
	for (size_t i = 0; i < server->count; i++) {
		struct served *served = server->runs[i];
		if (served->state != RUN_RUNNING)
			continue;
		if (served->hand_by && now >= served->hand_by)
			server_hand_over(server, served);
		if (!run_follow(served))
			continue;
		run_drain(served);
		begin(served, RUN_ENDING, work_settle, finish_settle);
	}
}

void server_reap(struct server *server, json_t *id)
{
	json_t *answer = answer_new(id, "reaped"), *finished = json_array();
	for (size_t i = server->count; i > 0; i--) {
		struct served *served = server->runs[i - 1];
		if (served->state != RUN_ENDED)
			continue;
		json_array_insert_new(finished, 0, run_ended_event(served, served->order.id));
		forget(server, served);
	}
	answer_put(answer, "runs", finished);
	answers_add(&server->answers, answer);
}

void server_cancel_all(struct server *server)
{
	for (size_t i = server->count; i > 0; i--) {
		struct served *served = server->runs[i - 1];
		if (served->state == RUN_QUEUED || served->state == RUN_ENDED)
			forget(server, served);
		else
			run_cancel(served);
	}
}

bool server_is_busy(const struct server *server)
{
	for (size_t i = 0; i < server->count; i++)
		if (server->runs[i]->state != RUN_ENDED)
			return true;
	return server->errands > 0;
}

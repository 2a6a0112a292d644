/* cli/serve_requests.c - one request each: read, and given to who does it. */
#include "config.h"

#include "serve_server.h"

#include <stdlib.h>

void server_refuse(struct server *server, json_t *id, const struct pinfold_error *err)
{
	json_t *answer = answer_new(id, "refused");
	answer_put(answer, "error", answer_error(err));
	answers_add(&server->answers, answer);
}

static int fail(struct pinfold_error *err, const struct order *order, const char *action, const char *recovery)
{
	char *id = json_dumps(order->run ? order->run : order->id, JSON_ENCODE_ANY | JSON_COMPACT);
	pinfold_fail(err, PINFOLD_E_USAGE, 0, action, id ? id : "its id", recovery);
	free(id);
	return -1;
}

static void list(struct server *server, json_t *id)
{
	json_t *answer = answer_new(id, "runs"), *runs = json_array();
	for (size_t i = 0; i < server->count; i++)
		json_array_append_new(runs, run_listed(server->runs[i]));
	answer_put(answer, "runs", runs);
	answers_add(&server->answers, answer);
}

static void tell_done(struct server *server, json_t *id)
{
	answers_add(&server->answers, answer_new(id, "done"));
}

/* A run that has not begun never will. */
static void cancel(struct served *served)
{
	if (served->state != RUN_QUEUED) {
		run_cancel(served);
		return;
	}
	served->refused = served->cancelled = true;
	pinfold_fail(&served->err, PINFOLD_E_USAGE, 0, "run the command", "it was cancelled before its turn",
		     "ask for it again");
	server_drop_run(served);
}

static int about_run(struct server *server, const struct order *order, struct pinfold_error *err)
{
	static const char action[] = "find the run";
	struct served *served = server_find(server, order->run);
	if (!served)
		return fail(err, order, action, "name one that {\"do\": \"list\"} shows");
	if (order->kind == ORDER_WAIT) {
		server_wait_for(server, order->id, served, order->limited, order->limit);
		return 0;
	}
	if (order->kind == ORDER_HAND)
		server_hand_over(server, served);
	else if (order->kind == ORDER_CANCEL)
		cancel(served);
	else if (served->state == RUN_RUNNING)
		pinfold_run_signal(served->run, order->signal_number);
	else
		return fail(err, order, "signal the run", "wait until it has started, and ask before it ends");
	tell_done(server, order->id);
	return 0;
}

/* 0: the order is somebody else's now; 1: it is still to be released. */
static int obey(struct server *server, struct order *order, struct pinfold_error *err)
{
	switch (order->kind) {
	case ORDER_RUN:
		if (server_find(server, order->id))
			return fail(err, order, "take the run", "give each request an id of its own");
		server_add_run(server, order);
		return 0;
	case ORDER_EXPLAIN:
	case ORDER_PROBE:
	case ORDER_DIFF:
	case ORDER_APPLY:
	case ORDER_DISCARD:
		server_add_errand(server, order);
		return 0;
	case ORDER_REAP:
		server_reap(server, order->id);
		return 1;
	case ORDER_LIST:
		list(server, order->id);
		return 1;
	default:
		return about_run(server, order, err) < 0 ? -1 : 1;
	}
}

void server_take(struct server *server, json_t *message)
{
	struct order order = { 0 };
	struct pinfold_error err = { 0 };
	int result = order_read(message, server->inherited, &order, &err);
	if (result == 0)
		result = obey(server, &order, &err);
	if (result < 0)
		server_refuse(server, order.id, &err);
	if (result != 0)
		order_release(&order);
}

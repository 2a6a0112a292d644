/* face/run.c - one run: started, followed, and settled. */
#include "config.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fault.h"
#include "face/events.h"
#include "face/face.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Time counts from the program's start for its first run only. */
static uint64_t take_start(struct pinfold *pinfold)
{
	uint64_t started = __atomic_exchange_n(&pinfold->started, 0, __ATOMIC_RELAXED);
	return started ? started : clock_nanoseconds();
}

struct pinfold_run *run_new(struct pinfold *pinfold, const struct pinfold_command *command)
{
	struct pinfold_run *run = calloc(1, sizeof(*run));
	if (run && command->session && !(run->session = strdup(command->session)))
		free(take_pointer(&run));
	if (!run)
		return NULL;
	run->pinfold = pinfold;
	run->times.began = take_start(pinfold);
	clock_gettime(CLOCK_REALTIME, &run->started);
	run->command = *command;
	run->event = command->event;
	run->event_context = command->context;
	run->caller = command->environment ? command->environment :
					     (const char *const *)environ;
	run->directory.fd = -1;
	run->terminal = (struct own_terminal)OWN_TERMINAL_NONE;
	run->streams = (struct streams){ .null = -1, .held = { -1, -1, -1 } };
	return run;
}

static int start(struct pinfold_run *run, struct pinfold_error *err)
{
	if (resolve_run(run, err) < 0)
		return -1;
	attempt_foresee(run);
	ahead_pass(run->pinfold);
	if (resolve_arm(run, err) < 0 || attempt_start(run, err) < 0)
		return -1;
	events_tell(run, RECEIPT_STARTED);
	streams_release(&run->streams);
	run->caller = NULL;
	run->command = (struct pinfold_command){ .where = run->command.where };
	return 0;
}

int run_begin(struct pinfold *pinfold, struct pinfold_cage *cage, const struct pinfold_command *command,
	      struct pinfold_run **ret_run, struct pinfold_error *err)
{
	struct pinfold_run *run = run_new(pinfold, command);
	if (!run) {
		pinfold_cage_close(cage);
		return fault_no_memory(err);
	}
	run->cage = cage;
	struct pinfold_error why = { 0 };
	if (start(run, &why) < 0) {
		ahead_drop(pinfold);
		pinfold_run_free(run);
		if (err)
			*err = why;
		return -1;
	}
	*ret_run = run;
	return 0;
}

int pinfold_run_start(struct pinfold *pinfold, const struct pinfold_command *given,
		      struct pinfold_run **ret_run, struct pinfold_error *err)
{
	struct pinfold_command command;
	if (!pinfold || !ret_run)
		return fault(err, PINFOLD_E_USAGE, 0, "start a run", "a null pointer",
			     "give a handle, and room for the run");
	if (command_read(given, &command, err) < 0)
		return -1;
	return run_begin(pinfold, NULL, &command, ret_run, err);
}

int pinfold_run_descriptor(const struct pinfold_run *run)
{
	return run->child ? child_descriptor(run->child) : -1;
}

static uint64_t deadline(const struct pinfold_run *run)
{
	return run->policy->timeout ? run->times.launched + run->policy->timeout - run->times.waited : 0;
}

int pinfold_run_deadline(const struct pinfold_run *run)
{
	if (!run->over && !run->child)
		return -1;
	uint64_t at = run->over ? 0 : child_deadline(run->child), now = clock_nanoseconds();
	if (at == 0 && !run->over && !run->timed_out)
		at = deadline(run);
	if (at == 0)
		return -1;
	uint64_t left = at > now ? (at - now + 999999) / 1000000 : 0;
	return left > INT32_MAX ? INT32_MAX : (int)left;
}

static void note_end(struct pinfold_run *run, const struct child_event *event)
{
	run->over = true;
	run->lost = event->ending == PINFOLD_UNKNOWN;
	run->end = *event;
	run->times.ended = clock_nanoseconds();
	ceilings_read(run);
	if (run->timed_out && event->ending != PINFOLD_ENDED) {
		run->end.ending = PINFOLD_TIMED_OUT;
		run->end.value = 0;
	}
	events_tell(run, RECEIPT_ENDED);
}

static void keep_time(struct pinfold_run *run)
{
	uint64_t at = deadline(run);
	if (at == 0 || run->timed_out || clock_nanoseconds() < at)
		return;
	run->timed_out = true;
	child_end(run->child);
}

int pinfold_run_poll(struct pinfold_run *run, uint32_t *ret_state, int *ret_signal,
		     struct pinfold_error *err)
{
	struct child_event event = { 0 };
	uint32_t state = PINFOLD_RUNNING;
	if (!run->over && !run->child)
		return fault(err, PINFOLD_E_USAGE, 0, "follow a run", "nothing was started", "start it first");
	if (!run->over && child_event(run->child, &event, err) < 0)
		return -1;
	if (event.kind == CHILD_OVER)
		note_end(run, &event);
	else if (event.kind == CHILD_STOPPED)
		state = PINFOLD_STOPPED;
	if (!run->over)
		keep_time(run);
	if (state == PINFOLD_STOPPED && ret_signal)
		*ret_signal = event.value;
	*ret_state = run->over ? PINFOLD_OVER : state;
	return 0;
}

/* The nearer of two times to wait, where -1 is for ever. */
static int nearer(int a, int b)
{
	if (a < 0 || b < 0)
		return a < 0 ? b : a;
	return a < b ? a : b;
}

int pinfold_run_wait(struct pinfold_run *run, int milliseconds, uint32_t *ret_state,
		     struct pinfold_error *err)
{
	uint64_t begin = clock_nanoseconds();
	for (;;) {
		uint32_t state;
		if (pinfold_run_poll(run, &state, NULL, err) < 0)
			return -1;
		uint64_t passed = (clock_nanoseconds() - begin) / 1000000;
		int left = milliseconds < 0 ? -1 :
			   passed < (uint64_t)milliseconds ? milliseconds - (int)passed : 0;
		if (state == PINFOLD_OVER || left == 0) {
			*ret_state = state;
			return 0;
		}
		struct pollfd on = { .fd = pinfold_run_descriptor(run), .events = POLLIN };
		if (poll(&on, 1, nearer(left, pinfold_run_deadline(run))) < 0 && errno != EINTR)
			return fault(err, PINFOLD_E_SYSTEM, errno, "wait for the command",
				     "its descriptor cannot be polled",
				     "free memory on this machine and try again");
	}
}

int pinfold_run_signal(struct pinfold_run *run, int signal_number)
{
	return run->over || !run->child ? 0 : child_signal(run->child, signal_number);
}

int pinfold_run_end(struct pinfold_run *run)
{
	return run->over || !run->child ? 0 : child_end(run->child);
}

int pinfold_run_terminal(const struct pinfold_run *run)
{
	return run->terminal.ours;
}

int pinfold_run_foreground(struct pinfold_run *run)
{
	return run->child ? child_to_foreground(run->child) : 0;
}

int pinfold_run_background(struct pinfold_run *run)
{
	return run->child ? child_to_background(run->child) : 0;
}

int pinfold_run_result(struct pinfold_run *run, struct pinfold_result *ret_result,
		       struct pinfold_error *err)
{
	if (!run->over)
		return fault(err, PINFOLD_E_USAGE, 0, "give the result of a run", "it is not over",
			     "wait for it first");
	settle_run(run);
	struct pinfold_result result = {
		.ending = run->end.ending,
		.value = run->end.value,
		.survivors = run->end.survivors,
		.left = run->end.left,
		.exit_code = settle_exit_code(&run->end),
		.limit = settle_limit(run),
	};
	return result_write(&result, ret_result, err);
}

int pinfold_run_detach(struct pinfold_run *run, struct pinfold_error *err)
{
	if (!run || !run->child)
		return fault(err, PINFOLD_E_USAGE, 0, "detach a run", "nothing of it runs", "free it");
	void (*event)(void *, const char *) = run->event;
	run->event = NULL;
	if (detached_add(&cage_owner(run)->detached, run, err) == 0)
		return 0;
	run->event = event;
	return -1;
}

const char *pinfold_run_statement(const struct pinfold_run *run)
{
	return run->statement;
}

const char *pinfold_run_passed_over(const struct pinfold_run *run, size_t index)
{
	return index < run->passed_over.count ? run->passed_over.items[index] : NULL;
}

void pinfold_run_free(struct pinfold_run *run)
{
	if (!run)
		return;
	settle_run(run);
	settle_attempt(run, PINFOLD_COPY_KEEP);
	cage_choice_release(run);
	streams_release(&run->streams);
	own_terminal_close(&run->terminal);
	denials_release(run);
	directory_release(&run->directory);
	policy_free(run->policy);
	wrapping_release(&run->wrappings);
	list_release(&run->passed_over);
	list_release(&run->skipped);
	free(run->program);
	free(run->session);
	struct pinfold_cage *cage = run->cage;
	free(run);
	pinfold_cage_close(cage);
}

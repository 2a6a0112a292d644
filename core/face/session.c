/* face/session.c - commands of one session run one after the other. */
#include "config.h"

#include "base/clock.h"
#include "base/fault.h"
#include "face/face.h"

#include <time.h>

enum { WAIT_LEAST = 1000000, WAIT_MOST = 50000000 };	/* nanoseconds */

/* Longer the longer it takes already, but not past the time limit. */
static uint64_t pause_after(uint64_t waited, uint64_t limit)
{
	uint64_t pause = waited / 2 < WAIT_LEAST ? WAIT_LEAST : waited / 2 < WAIT_MOST ? waited / 2 : WAIT_MOST;
	return limit > 0 && pause > limit - waited ? limit - waited : pause;
}

int session_wait(struct pinfold_run *run, uint64_t began, struct pinfold_error *err)
{
	static const char action[] = "wait for the session";
	const struct pinfold_command *command = &run->command;
	uint64_t waited = clock_nanoseconds() - began, limit = run->policy->timeout;
	if (limit > 0 && waited >= limit)
		return fault(err, PINFOLD_E_TIMED_OUT, 0, action, command->session,
			     "another command works in it for longer than the time limit (--timeout): allow "
			     "more, or use another session");
	if (command->waiting && command->waiting(command->context) != 0)
		return fault(err, PINFOLD_E_BUSY, 0, action, command->session,
			     "the caller gave up: try again, or use another session");
	uint64_t pause = pause_after(waited, limit);
	struct timespec time = { .tv_sec = 0, .tv_nsec = (long)pause };
	nanosleep(&time, NULL);
	return 0;
}

/* face/events.c - what happens in a run, told to whoever asked for it. */
#include "config.h"

#include "face/events.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "face/face.h"

static uint64_t age(const struct pinfold_run *run)
{
	return clock_nanoseconds() - run->times.began;
}

/* An event for which there is no memory is lost, and the run goes on. */
static void hand_over(const struct pinfold_run *run, const char *line)
{
	if (line)
		run->event(run->event_context, line);
}

void events_tell(const struct pinfold_run *run, enum receipt_event event)
{
	if (!run->event)
		return;
	struct receipt receipt = receipt_of(run);
	auto_free char *line = receipt_event(event, &receipt, run->nonce, age(run));
	hand_over(run, line);
}

void events_tell_applications(const struct pinfold_run *run)
{
	for (size_t i = 0; run->event && i < run->wrappings.count; i++) {
		struct application application = receipt_application(run, i);
		auto_free char *line = receipt_application_event(&application, run->nonce, age(run));
		hand_over(run, line);
	}
}

char *pinfold_refusal_event(const struct pinfold_error *err)
{
	return receipt_refusal_event(err, pinfold_exit_code(err));
}

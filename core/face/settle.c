/* face/settle.c - what happens when the command has ended, or never ran. */
#include "config.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "face/events.h"
#include "face/face.h"

#include <signal.h>
#include <stdlib.h>

uint32_t settle_exit_code(const struct child_event *end)
{
	switch (end->ending) {
	case PINFOLD_ENDED:
		return (uint32_t)end->value;
	case PINFOLD_SIGNALLED:
		return PINFOLD_EXIT_SIGNAL + (uint32_t)end->value;
	case PINFOLD_TIMED_OUT:
		return PINFOLD_EXIT_TIMED_OUT;
	default:
		return PINFOLD_EXIT_REFUSED;
	}
}

void settle_attempt_arm(struct pinfold_run *run)
{
	confine_release(run);
	helpers_release(&run->helpers);
	environment_release(&run->environment);
	list_release(&run->not_held);
	list_release(&run->argv);
	char **texts[] = { &run->statement, &run->seen_program, &run->seen_directory, &run->source };
	for (size_t i = 0; i < N_ELEMENTS(texts); i++)
		free(take_pointer(texts[i]));
}

static const struct policy_limit *find_limit(const struct pinfold_run *run, int resource)
{
	for (size_t i = 0; i < run->policy->limit_count; i++)
		if (run->policy->limits[i].resource == resource)
			return &run->policy->limits[i];
	return NULL;
}

/* Anybody can send the signal. What the kernel says was used is not what it counted, and near it. */
static bool used_its_time(const struct pinfold_run *run)
{
	const struct policy_limit *limit = find_limit(run, RLIMIT_CPU);
	uint64_t used = run->end.user_nanoseconds + run->end.system_nanoseconds;
	return limit && used / 1000000000u + 1 >= limit->value.rlim_cur && used >= 500000000u;
}

uint32_t settle_limit(const struct pinfold_run *run)
{
	const struct child_event *end = &run->end;
	if (end->ending == PINFOLD_TIMED_OUT)
		return PINFOLD_LIMIT_TIMEOUT;
	if (run->ceilings.hits.memory)
		return PINFOLD_LIMIT_MEMORY;
	bool signalled = end->ending == PINFOLD_SIGNALLED;
	if (signalled && end->value == SIGXFSZ && find_limit(run, RLIMIT_FSIZE))
		return PINFOLD_LIMIT_FILE_SIZE;
	if (signalled && end->value == SIGXCPU && used_its_time(run))
		return PINFOLD_LIMIT_CPU_TIME;
	return run->ceilings.hits.tasks ? PINFOLD_LIMIT_TASKS : PINFOLD_LIMIT_NONE;
}

/* The arm, then the view: nothing may show a copy that another run could take. */
void settle_attempt(struct pinfold_run *run, enum pinfold_keep keep)
{
	settle_attempt_arm(run);
	view_close(run, keep);
}

/* The names belong to the view, which goes; without memory for them their number must do. */
static void note_skipped(struct pinfold_run *run)
{
	const char *const *names = run->work.skipped_names;
	for (; names && *names; names++)
		list_add(&run->skipped, *names);
	run->work.skipped_names = (const char *const *)run->skipped.items;
}

/* What ran for it first was confined in the same way. */
static bool left_untouched(const struct pinfold_run *run)
{
	return run->over && run->arm.prepared && PINFOLD_HAS(&run->arm.plan, keeps_tree);
}

/* What was left running could still write into the copy: the next command must not get it. */
void settle_run(struct pinfold_run *run)
{
	if (run->settled)
		return;
	run->settled = true;
	bool clean = !run->child || (run->over && run->end.left == 0 && !run->lost);
	enum pinfold_keep keep = !clean ? PINFOLD_COPY_RETIRE :
				 left_untouched(run) ? PINFOLD_COPY_UNTOUCHED : PINFOLD_COPY_KEEP;
	child_leave(run->child, &run->pinfold->leaving);
	run->child = NULL;
	ceilings_end(run);
	own_terminal_close(&run->terminal);
	denials_end(run);
	confine_release(run);
	note_skipped(run);
	run->kept = clean && run->view.view;
	view_close(run, keep);
	run->times.settled = clock_nanoseconds();
	if (run->over)
		events_tell(run, RECEIPT_SETTLED);
}

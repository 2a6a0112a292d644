/* face/ahead.c - the child of the run that is expected, begun before anything is known of it. */
#include "config.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "face/face.h"
#include "registry/records.h"

#include <fcntl.h>
#include <sched.h>

/* What nearly every confined run asks for. A guess only: a child with other namespaces than the arm wants
 * is given up, and no child is begun so again until an arm wants these. */
static const uint64_t usual = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS |
			      CLONE_NEWCGROUP | CLONE_NEWNET;
const char ahead_record[] = "the usual namespaces were not wanted";

static bool is_recorded(void)
{
	const void *data;
	size_t bytes;
	const struct pinfold_scope scope = { .arena = arena_new() };
	bool found = scope.arena && records_recall(&scope, ahead_record, "", &data, &bytes);
	arena_free(scope.arena);
	return found;
}

static void note_wrong(struct pinfold *pinfold)
{
	const struct pinfold_scope scope = { 0 };
	records_keep(&scope, ahead_record, "", "", 0);
	__atomic_store_n(&pinfold->ahead.wrong, true, __ATOMIC_RELAXED);
}

static int stream(const struct pinfold_command *command, int number)
{
	return command->streams[number] >= 0 ? command->streams[number] : number;
}

void ahead_begin(struct pinfold *pinfold, const struct pinfold_command *expected)
{
	struct ahead *ahead = &pinfold->ahead;
	struct pinfold_command command;
	if (command_read(expected, &command, NULL) < 0 || command.where != PINFOLD_WHERE_SANDBOX ||
	    command.descriptors || command.jobserver)
		return;
	ahead->wrong = is_recorded();
	if (ahead->wrong)
		return;
	struct launch launch = {
		.streams = { stream(&command, 0), stream(&command, 1), stream(&command, 2) },
		.terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY),
	};
	if (child_begin(&launch, usual, &ahead->embryo, NULL) < 0)
		ahead->embryo = NULL;
	cleanup_fd(&launch.terminal);
}

static struct embryo *take(struct pinfold *pinfold)
{
	return __atomic_exchange_n(&pinfold->ahead.embryo, NULL, __ATOMIC_ACQ_REL);
}

int ahead_take(struct pinfold_run *run, const struct launch *launch)
{
	struct pinfold *pinfold = run->pinfold;
	struct embryo *embryo = take(pinfold);
	if (!embryo) {
		if (launch->plan->namespaces == usual &&
		    __atomic_exchange_n(&pinfold->ahead.wrong, false, __ATOMIC_RELAXED))
			records_forget(ahead_record);
		return -1;
	}
	if (child_adopt(embryo, launch) < 0) {
		child_abandon(embryo);
		if (launch->plan->namespaces != usual)
			note_wrong(pinfold);
		return -1;
	}
	run->embryo = embryo;
	/* From here on it is this run's: what had to be known for that is part of the way to it. */
	run->times.born = clock_nanoseconds();
	return 0;
}

void ahead_pass(struct pinfold *pinfold)
{
	struct embryo *embryo = take(pinfold);
	if (embryo)
		note_wrong(pinfold);
	child_abandon(embryo);
}

void ahead_drop(struct pinfold *pinfold)
{
	child_abandon(take(pinfold));
}

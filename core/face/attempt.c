/* face/attempt.c - everything that belongs to one arm, from the view to the started command. */
#include "config.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fault.h"
#include "base/text.h"
#include "face/events.h"
#include "face/face.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static bool has_own_session(const struct pinfold_run *run)
{
	return run->throwaway || run->policy->terminal == POLICY_TERMINAL_NONE;
}

static bool has_own_terminal(const struct pinfold_run *run)
{
	return run->terminal.theirs >= 0;
}

/* The terminal that the command inherits with the session, or has as its own; or -1. */
static int open_terminal(const struct pinfold_run *run)
{
	if (has_own_session(run))
		return -1;
	if (has_own_terminal(run))
		return fcntl(run->terminal.theirs, F_DUPFD_CLOEXEC, 3);
	return open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
}

/* What is known before the arm has prepared; the terminal is to be closed. */
static struct launch first_launch(const struct pinfold_run *run)
{
	return (struct launch){
		.streams = { run->streams.given[0], run->streams.given[1], run->streams.given[2] },
		.kept = run->streams.kept,
		.own_session = has_own_session(run),
		.own_terminal = has_own_terminal(run),
		.terminal = open_terminal(run),
		.watch = denials_child_end(run),
		.group = ceilings_entry(run),
	};
}

void attempt_foresee(struct pinfold_run *run)
{
	if (run->command.where != PINFOLD_WHERE_SANDBOX)
		return;
	struct launch launch = first_launch(run);
	confine_foresee(run, &launch);
	cleanup_fd(&launch.terminal);
}

static int begin(struct pinfold_run *run, struct pinfold_error *err)
{
	if (confine_is_begun(run))
		return 0;
	struct launch launch = first_launch(run);
	int result = confine_begin(run, &launch, err);
	cleanup_fd(&launch.terminal);
	return result;
}

/* What the command is to be confined by, and lives with. */
static void add_confinement(struct pinfold_run *run, struct launch *launch)
{
	const struct policy *policy = run->policy;
	size_t count = policy->limit_count < RLIM_NLIMITS ? policy->limit_count : RLIM_NLIMITS;
	for (size_t i = 0; i < count; i++)
		run->early.limits[i] = (struct launch_limit){ policy->limits[i].resource,
							      policy->limits[i].value };
	launch->arm = run->arm.arm;
	launch->plan = run->arm.arm ? &run->arm.plan : NULL;
	launch->limits = run->early.limits;
	launch->limit_count = count;
	launch->priority = policy->priority;
}

/* The rest, and its streams and terminal, the child has had since it was begun. */
void attempt_lay(struct pinfold_run *run)
{
	run->early.launch = (struct launch){
		.own_session = has_own_session(run), .own_terminal = has_own_terminal(run), .terminal = -1,
	};
	add_confinement(run, &run->early.launch);
	child_lay(run->embryo, &run->early.launch);
}

struct launch attempt_launch_of(struct pinfold_run *run, const char *program, const char *const *argv)
{
	struct launch launch = first_launch(run);
	add_confinement(run, &launch);
	launch.program = program;
	launch.argv = argv;
	launch.envp = (const char *const *)run->environment.variables.items;
	launch.directory = confine_directory(run);
	launch.helpers = run->helpers.launched;
	launch.helper_count = run->helpers.count;
	launch.helper_deadline = run->helpers.deadline;
	return launch;
}

int attempt_launch(struct pinfold_run *run, const char *program, const char *const *argv,
		   uint32_t *ret_step, struct pinfold_error *err)
{
	struct launch launch = attempt_launch_of(run, program, argv);
	int result = denials_listen(run, &launch, err);
	if (result == 0)
		result = child_start(&launch, take_pointer(&run->embryo), &run->child, ret_step, err);
	cleanup_fd(&launch.terminal);
	return result;
}

void attempt_introduce(struct pinfold_run *run)
{
	if (run->command.introducing)
		run->command.introducing(run->command.context, run);
	if (run->command.launching)
		run->command.launching(run->command.context);
}

/* A file without a first line that names an interpreter is the shell's, as execvp has it. */
const char **attempt_script(const struct pinfold_run *run)
{
	size_t count = 0;
	while (run->command.argv[count])
		count++;
	const char **argv = calloc(count + 2, sizeof(*argv));
	if (!argv)
		return NULL;
	argv[0] = "/bin/sh";
	argv[1] = run->seen_program;
	for (size_t i = 1; i < count; i++)
		argv[i + 1] = run->command.argv[i];
	return argv;
}

static int launch_script(struct pinfold_run *run, uint32_t *ret_step, struct pinfold_error *err)
{
	const char **argv = attempt_script(run);
	if (!argv)
		return fault_no_memory(err);
	int result = attempt_launch(run, argv[0], argv, ret_step, err);
	free(argv);
	return result;
}

static int attempt_as(struct pinfold_run *run, bool script, uint32_t *ret_step,
		      struct pinfold_error *err)
{
	*ret_step = CHILD_STEP_NONE;
	events_tell(run, RECEIPT_CHOSEN);
	if (begin(run, err) < 0 || resolve_rest(run, err) < 0 || view_open(run, err) < 0)
		return -1;
	events_tell(run, RECEIPT_VIEW);
	if (wrapping_decide(run, err) < 0)
		return -1;
	events_tell_applications(run);
	if (confine_prepare(run, err) < 0 || surroundings_build(run, err) < 0 || receipt_remember(run, err) < 0)
		return -1;
	ceilings_count(run);
	attempt_introduce(run);
	if (run->times.born == 0)
		run->times.born = clock_nanoseconds();
	if (script)
		return launch_script(run, ret_step, err);
	return attempt_launch(run, run->seen_program, run->command.argv, ret_step, err);
}

/* What an arm prepared serves one start: a second one begins anew, from the view on. */
static int attempt(struct pinfold_run *run, uint32_t *ret_step, struct pinfold_error *err)
{
	int result = attempt_as(run, false, ret_step, err);
	if (result < 0 && *ret_step == CHILD_STEP_EXEC && err->sys == ENOEXEC) {
		settle_attempt(run, PINFOLD_COPY_KEEP);
		result = attempt_as(run, true, ret_step, err);
	}
	return result;
}

/* Steps that fail when a promise that was found on this machine earlier is no longer true. */
static bool is_arms_step(uint32_t step)
{
	return step == CHILD_STEP_NAMESPACES || step == CHILD_STEP_VIEW ||
	       step == CHILD_STEP_APPLY || step == CHILD_STEP_VERIFY;
}

enum { MOST_AGAIN = 5 };

/* A program that confines covers the host's sockets by their paths, and gives up where one has gone
 * since the arm looked. */
static bool may_be_stale(const struct pinfold_run *run)
{
	return run->choice.offer && (run->choice.offer->remembered || run->arm.plan.through ||
				     cage_choice_was_tried(run));
}

static int choose_again(struct pinfold_run *run, struct pinfold_error *err)
{
	arms_forget(run->pinfold->registry, run->pinfold->config, run->choice.offer->name);
	cage_choice_is_untrue(run);
	cage_choice_release(run);
	list_release(&run->passed_over);
	return resolve_arm(run, err);
}

/* Of a program that was found outside before: inside, another directory may lie in that one's place. */
static void explain_absence(const struct pinfold_run *run, struct pinfold_error *err)
{
	if (err->code == PINFOLD_E_NOT_FOUND && run->found_outside)
		fault(err, PINFOLD_E_NOT_FOUND, err->sys, err->action, err->subject,
		      "it is there outside: keep it where the command sees it too (/tmp and /run are the "
		      "command's own), and check a script's first line for its interpreter");
}

int attempt_start(struct pinfold_run *run, struct pinfold_error *err)
{
	struct pinfold_error why = { 0 };
	uint32_t step = CHILD_STEP_NONE;
	int result = attempt(run, &step, &why);
	for (int again = 0; result < 0 && is_arms_step(step) && may_be_stale(run) && again < MOST_AGAIN;
	     again++) {
		settle_attempt(run, PINFOLD_COPY_KEEP);
		result = choose_again(run, &why);
		if (result == 0)
			result = attempt(run, &step, &why);
	}
	if (result < 0 && step == CHILD_STEP_EXEC)
		explain_absence(run, &why);
	if (result < 0) {
		if (err)
			*err = why;
		return -1;
	}
	run->times.launched = clock_nanoseconds();
	denials_started(run);
	cage_choice_is_true(run);
	return 0;
}

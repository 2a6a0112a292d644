/* cage/steps.c - the steps in a child: their names, and what is said when one has failed. */
#include "config.h"

#include "cage/steps.h"

#include "base/fault.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>

const char *child_step_name(uint32_t step)
{
	static const char *const names[] = {
		[CHILD_STEP_NONE] = "none",
		[CHILD_STEP_NAMESPACES] = "namespaces",
		[CHILD_STEP_VIEW] = "view",
		[CHILD_STEP_SESSION] = "session",
		[CHILD_STEP_RLIMIT] = "rlimit",
		[CHILD_STEP_APPLY] = "apply",
		[CHILD_STEP_VERIFY] = "verify",
		[CHILD_STEP_CONSUME] = "consume",
		[CHILD_STEP_FDS] = "fds",
		[CHILD_STEP_DIRECTORY] = "directory",
		[CHILD_STEP_EXEC] = "exec",
		[CHILD_STEP_SUPERVISE] = "supervise",
		[CHILD_STEP_FOLLOW] = "follow",
		[CHILD_STEP_WATCH] = "watch",
		[CHILD_STEP_GROUP] = "group",
	};
	return step < N_ELEMENTS(names) ? names[step] : "unknown";
}

static int fault_of_exec(const struct launch *launch, int sys, struct pinfold_error *err)
{
	if (sys == ENOENT || sys == ENOTDIR)
		return fault(err, PINFOLD_E_NOT_FOUND, sys, "run the command", launch->program,
			     "check its name, and for a script the interpreter in its first line");
	return fault(err, PINFOLD_E_NOT_EXECUTABLE, sys, "run the command", launch->program,
		     "check that it is a program for this machine and may be executed");
}

int steps_fault(const struct launch *launch, uint32_t step, int sys, struct pinfold_error *err)
{
	if (step == CHILD_STEP_EXEC)
		return fault_of_exec(launch, sys, err);
	if (step == CHILD_STEP_FOLLOW)
		return fault(err, PINFOLD_E_STEP, sys, "follow the command, which had begun and was ended",
			     launch->program, sys == EMFILE || sys == ENFILE ?
			     "raise the number of open files (ulimit -n), and try again" :
			     "let the security policy of this machine pass descriptors between pinfold's processes (AppArmor: "
			     "flags=(attach_disconnected)), or take another arm");
	char action[96];
	/* The supervisor's last step comes when the command has begun; with it goes the command. */
	snprintf(action, sizeof(action), "confine the command: step `%s` failed, so it %s",
		 child_step_name(step), step == CHILD_STEP_SUPERVISE ? "was ended" : "never ran");
	const char *subject = launch->program;
	if (step == CHILD_STEP_DIRECTORY)
		subject = launch->directory;
	else if (launch->plan && PINFOLD_HAS(launch->plan, failed) && *launch->plan->failed)
		subject = *launch->plan->failed;
	return fault(err, PINFOLD_E_STEP, sys, action, subject,
		     "`pinfold probe` shows what this machine gives; another arm may do");
}

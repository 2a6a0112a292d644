/* cage/steps.c - the names of the steps in a child. */
#include "cage/child.h"

#include "base/text.h"

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
	};
	return step < N_ELEMENTS(names) ? names[step] : "unknown";
}

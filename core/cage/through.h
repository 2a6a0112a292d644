/* cage/through.h - launching through a program that makes the confinement itself (bubblewrap). */
#ifndef CAGE_THROUGH_H
#define CAGE_THROUGH_H

#include "base/list.h"
#include "cage/child.h"

struct through {
	struct launch launch;	/* that runs the program */
	struct list argv;
	int order;		/* the runner's order, a file in memory */
	int status[2];		/* the runner's pipe: read end, write end */
	int program;		/* pinfold-init, to be inherited */
	int *kept;
};

/* Makes of `launch`, whose plan has `through`, one that runs that program with the runner behind it.
 * `through_release` follows, success or not. */
int through_prepare(struct through *through, const struct launch *launch, struct pinfold_error *err);
/* Reads what the runner says: 0 once it came to its exec and the exec worked; else the step that
 * failed. The child's own end of the pipe must be closed in the host (this does it). */
int through_wait(struct through *through, uint32_t *ret_step, int *ret_sys);
void through_release(struct through *through);

#endif

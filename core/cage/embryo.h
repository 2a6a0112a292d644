/* cage/embryo.h - a child that has begun: its namespaces are being made, its launch is not known yet. */
#ifndef CAGE_EMBRYO_H
#define CAGE_EMBRYO_H

#include "cage/birth.h"

struct embryo {
	struct birth birth;
	char *stacks;
	int host_end;		/* of the control socket */
	pid_t supervisor;
	int supervisor_fd;	/* a pidfd */
	uint64_t namespaces;	/* all that were asked for */
	int streams[3];		/* those of the launch it was begun with */
};

/* Lets the tasks go on with the launch, and waits until both have left the shared memory. */
void embryo_grow(struct embryo *embryo, const struct launch *launch);
/* Gives back what is not taken out of it; its tasks have ended or executed their programs. */
void embryo_free(struct embryo *embryo);

#endif

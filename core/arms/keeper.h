/* arms/keeper.h - the process between the host and a probe: it ends everything that the probe began. */
#ifndef ARMS_KEEPER_H
#define ARMS_KEEPER_H

#include <pinfold/arm.h>

/* What a keeper needs; all of it is the host's and is looked at in copies of the host. */
struct keeper {
	const struct pinfold_host *host;
	const struct pinfold_arm *arm;
	uint64_t nanoseconds;	/* time limit, 0 for none */
	int frames;		/* to the host */
	int lifeline;		/* hangs up when the host ends, or wants no more */
};

/* Runs in a fork of the host, and never returns. */
_Noreturn void keeper_main(const struct keeper *keeper);

#endif

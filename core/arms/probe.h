/* arms/probe.h - one arm's probe in a process of its own: it may crash, hang or leave things behind. */
#ifndef ARMS_PROBE_H
#define ARMS_PROBE_H

#include <pinfold/arm.h>

/* Fills the offer with what the arm answers, or with a refusal that says what went wrong; texts live
 * in the host table's memory. `nanoseconds` is the time limit, 0 for none. */
void probe_run(const struct pinfold_host *host, const struct pinfold_arm *arm, uint64_t nanoseconds,
	       struct pinfold_offer *ret_offer);

#endif

/* plugins/seatbelt/lower.h - a policy as a profile. Pure: it looks at nothing of the machine.
 *
 * The last rule that matches counts. So allowances come first, then what the policy refuses, then the
 * copy's own places, then the tier that nothing beats, then the run's mark.
 */
#ifndef SEATBELT_LOWER_H
#define SEATBELT_LOWER_H

#include "profile.h"

/* What there is to lower; every path as the kernel spells it. */
struct scene {
	const struct pinfold_policy *policy;
	const struct pinfold_shown *shown;
	bool reports;	/* denials are to be told apart */
	bool alone;	/* nobody will look for what it starts: it bears no mark */
	bool control;	/* the caller's terminal may be changed, and typed into */
};

struct gaps {
	struct pinfold_gap *rows;
	uint32_t count, room;
};

/* What a grant's token is issued for. */
const char *lower_extension(const struct pinfold_host *host, const struct pinfold_grant *grant);

int lower(const struct pinfold_host *host, const struct scene *scene, struct profile *ret_profile,
	  struct gaps *ret_gaps, struct pinfold_error *err);

#endif

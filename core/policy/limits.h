/* policy/limits.h - ceilings for each process of a command, and for all of them together. */
#ifndef POLICY_LIMITS_H
#define POLICY_LIMITS_H

#include "policy/policy.h"

/* Fills limits and limit_count of the policy: what [limits] sets, never past the caller's own. */
/* And its ceilings, as they are set. */
int limits_read(const struct config *config, struct policy *policy, struct pinfold_error *err);

#endif

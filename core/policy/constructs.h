/* policy/constructs.h - what of a policy is no path: ports, classes of system calls, declared grants. */
#ifndef POLICY_CONSTRUCTS_H
#define POLICY_CONSTRUCTS_H

#include "policy/paths.h"

enum { CONSTRUCTS_PORTS_MOST = 4096 };

int constructs_read(const struct config *config, struct policy *policy, struct pinfold_error *err);
/* Declared grants; those with a path of their own are among the paths too. */
int constructs_read_grants(const struct config *config, struct policy *policy, struct paths *paths,
			   struct pinfold_error *err);

#endif

/* plugins/namespaces/describe.h - a plan in its parts, for a person. */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include "namespaces.h"

int describe_plan(const struct pinfold_host *host, const struct pinfold_policy *policy,
		  const struct pinfold_plan *plan, const struct pinfold_detail **ret_details, size_t *ret_count,
		  struct pinfold_error *err);

#endif

/* plugins/namespaces/gaps.h - what of a policy this arm cannot enforce here, each by name. */
#ifndef GAPS_H
#define GAPS_H

#include "namespaces.h"

/* Appends one to the plan; -1 when memory is gone, also for the texts in it. */
int gaps_add(const struct pinfold_host *host, struct pinfold_plan *plan, const struct pinfold_gap *gap);
/* Is it laid? Else it is a gap. */
bool gaps_takes(const struct scene *scene, const struct pinfold_path *path);
/* All that the policy and this machine make. */
int gaps_find(const struct pinfold_host *host, const struct scene *scene, struct pinfold_plan *plan);
/* What the layout could not keep away. */
int gaps_find_absent(const struct pinfold_host *host, const struct layout *layout, struct pinfold_plan *plan);

#endif

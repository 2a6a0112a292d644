/* plugins/seatbelt/gaps.h - what a policy asks for that Seatbelt cannot give. */
#ifndef SEATBELT_GAPS_H
#define SEATBELT_GAPS_H

#include "lower.h"

/* -1 when memory is gone. */
int gaps_find(const struct pinfold_host *host, const struct scene *scene, struct gaps *ret_gaps);

#endif

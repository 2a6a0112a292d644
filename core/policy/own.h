/* policy/own.h - what later runs of pinfold believe, and a confined command must not write. */
#ifndef POLICY_OWN_H
#define POLICY_OWN_H

#include "base/list.h"
#include "config/config.h"

/* Adds where the caller's configuration, records and plugins lie, and the machine's, whether they are
 * there or not: canonical as far as they are. -1 when memory is gone. */
int own_list(const struct config *config, struct list *places);

#endif

/* cli/follow.h - a running command is followed to its end: signals, job control, time limit. */
#ifndef CLI_FOLLOW_H
#define CLI_FOLLOW_H

#include "terminal.h"

#include <pinfold/pinfold.h>

/* Returns when the run is over. */
int follow(struct pinfold_run *run, const struct terminal *terminal, struct pinfold_error *err);

#endif

/* cli/follow.h - a running command is followed to its end: signals, job control, time limit. */
#ifndef CLI_FOLLOW_H
#define CLI_FOLLOW_H

#include "relay.h"
#include "terminal.h"

#include <pinfold/pinfold.h>

/* Returns when the run is over. The relay is that of the command's own terminal, or of none. */
int follow(struct pinfold_run *run, const struct terminal *terminal, struct relay *relay,
	   struct pinfold_error *err);

#endif

/* plugins/seatbelt/trial.h - trying whether this Mac confines a child in the way that the arm does it. */
#ifndef SEATBELT_TRIAL_H
#define SEATBELT_TRIAL_H

#include "calls.h"

/* A child that may do nothing tries to run a harmless program: that it runs is the failure. Then one that may
 * do what every command may runs it: that it does not is the failure. NULL, or what was seen. */
const char *trial_apply(const struct pinfold_host *host, const struct calls *calls);
/* The same, once per process. */
const char *trial_apply_once(const struct pinfold_host *host, const struct calls *calls);
/* Whether a run's processes can be told from others by their mark. */
const char *trial_marker(const struct pinfold_host *host, const struct calls *calls);

#endif

/* cli/signals.h - signals to pinfold while a command runs: kept, to be handed on to the command. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <pinfold/error.h>

/* From here on signals are kept. They are caught, not blocked, so that the command starts with the
 * caller's own mask; one that the caller ignores stays ignored, for the command too. May be called
 * again. Fits `launching` of a command. */
void signals_keep(void *unused);
/* Must come before signals_keep. */
int signals_prepare(struct pinfold_error *err);
/* Readable when signals_next has one. */
int signals_descriptor(void);
/* The next kept signal, or 0. */
int signals_next(void);
/* Stops our own process group as this stopping signal would have, and returns when continued. */
void signals_stop_group(int signal_number);

#endif

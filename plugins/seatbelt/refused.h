/* plugins/seatbelt/refused.h - what the kernel refused, in the host's words. */
#ifndef SEATBELT_REFUSED_H
#define SEATBELT_REFUSED_H

#include "denials.h"

/* Hands over what was heard; NULL when that is all of it, or why it need not be. */
const char *refused_tell(const struct pinfold_host *host, const struct calls *calls, struct hearing *hearing,
			 pinfold_tell_refused *tell, void *context);

/* What an operation of the kernel's is to a person: enum pinfold_refused_kind. Pure. */
uint32_t refused_kind(const char *operation);

#endif

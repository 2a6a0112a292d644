/* plugins/seatbelt/helper.h - the program that streams the system's log to us, and ends with us. */
#ifndef SEATBELT_HELPER_H
#define SEATBELT_HELPER_H

#include "calls.h"

struct helper {
	int output;	/* what it writes, or -1: it does not run */
	int lifeline;	/* closed, it ends */
	pid_t keeper, owner;
};
#define HELPER_NONE { -1, -1, 0, 0 }

/* Started unless it runs. NULL, or why it cannot be. */
const char *helper_start(const struct pinfold_host *host, const struct calls *calls, struct helper *helper);
void helper_stop(struct helper *helper);
/* Another program, which is not vetted; for tests. NULL: the system's. */
void helper_from(const char *program);

#endif

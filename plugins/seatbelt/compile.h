/* plugins/seatbelt/compile.h - profiles as the kernel takes them, each compiled once.
 *
 * Kept for the whole process under the text and all parameters, the run's mark among them. Compiling takes
 * milliseconds and is done outside of the lock. What a plan uses is not given up before the plan.
 */
#ifndef SEATBELT_COMPILE_H
#define SEATBELT_COMPILE_H

#include "calls.h"
#include "profile.h"

struct bytecode {
	const void *data;
	size_t size;
	bool compiled;	/* by this very call, not found */
};

enum { COMPILE_KEPT = 32 };

int compile(const struct pinfold_host *host, const struct calls *calls, const struct profile *profile,
	    struct bytecode *ret_bytecode, struct pinfold_error *err);
/* Gives back what `compile` gave; zero does nothing. */
void compile_release(struct bytecode *bytecode);

#endif

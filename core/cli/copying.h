/* cli/copying.h - a first big copy: how far it is, on a terminal, and signals that end it. */
#ifndef CLI_COPYING_H
#define CLI_COPYING_H

#include <stdbool.h>
#include <stdint.h>

struct copying {
	bool shows;		/* there is a person who wants to see it */
	uint64_t began;		/* nanoseconds; 0: not yet */
	int columns;		/* of the line that stands there */
	int signal;		/* what ended it, or 0 */
};

/* Tells how far it is; nonzero when a signal says to give up. Signals are kept from its first call on. */
int copying_tell(struct copying *copying, uint64_t files, uint64_t bytes);
/* Takes the line away. */
void copying_clear(struct copying *copying);
/* Ends this process as the signal would have, where one ended the copy. */
void copying_raise(const struct copying *copying);

#endif

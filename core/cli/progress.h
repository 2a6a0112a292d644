/* cli/progress.h - long work before the command: how far it is, on a terminal, and signals that end it. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool shows;		/* there is a person who wants to see it */
	uint64_t copying, trying;	/* since when, in nanoseconds; 0: not yet */
	int signal;		/* what ended it, or 0 */
};

/* Each is called several times a second, and is nonzero when a signal says to give up. */
/* A first big copy. */
int progress_copy(struct progress *progress, uint64_t files, uint64_t bytes);
/* A throwaway build through a compiler wrapper; `waits`: another run makes it. */
int progress_try(struct progress *progress, const char *wrapper, uint32_t waits);
/* Ends this process as the signal would have, where one ended the work. */
void progress_raise(const struct progress *progress);

#endif

/* plugins/seatbelt/denials.h - what the kernel refused to a run, read from the system's log.
 *
 * The kernel adds a rule's message to what it logs of a refusal, and the message is the run's mark and the
 * rule's kind. One helper per process, `log stream`, writes such lines to a pipe; it ends with the process.
 * What it says is complete up to a fence: a refusal that a child of our own provokes. That it cannot be
 * started, or says nothing, or too much, is told and harms nothing else: whatever does not bear the mark of a
 * run that is heard is dropped, and each run has room of its own.
 */
#ifndef SEATBELT_DENIALS_H
#define SEATBELT_DENIALS_H

#include "calls.h"
#include "marker.h"

struct denial {
	char process[64], operation[64], about[1100], kind[16];
	uint64_t count;
};

enum { DENIALS_MOST = 256 };	/* of one run, each once */

struct hearing;	/* of one run, from before it starts */

/* A line of the helper's: true when it is a refusal that bears the mark. Pure. */
bool denials_parse(const char *line, const char *mark, struct denial *ret_denial);

/* Begins to keep what is refused to the run of this mark. The helper runs, or is started now. NULL, or why it cannot be;
 * the hearing is NULL then. */
const char *denials_start(const struct pinfold_host *host, const struct calls *calls, const struct marker *marker,
			  struct hearing **ret_hearing);
/* Reads up to a fence, and hands over what was refused to the run, each once. NULL when that is all of it, or
 * why it need not be. */
const char *denials_collect(const struct pinfold_host *host, const struct calls *calls, struct hearing *hearing,
			    void (*tell)(void *context, const struct denial *), void *context);
/* Keeps nothing for it any more. NULL does nothing. */
void denials_forget(struct hearing *hearing);
/* Ends the helper. */
void denials_stop(void);

/* Owned by root, not to be written by others, with all that is above it, on a volume that is read-only: NULL, or
 * what is wrong. */
const char *denials_vet(const struct pinfold_host *host, const char *path);
/* Another helper than the system's, which is not vetted, and how long to wait for a fence; for tests. */
void denials_from(const char *program, int milliseconds);

#endif

/* report/receipt.h - the machine-readable record of one run.
 *
 * The receipt is plain data that whoever made the run fills in; NULL and zero are what is not known.
 * It holds names of variables, never their values.
 */
#ifndef REPORT_RECEIPT_H
#define REPORT_RECEIPT_H

#include "report/application.h"

#include <pinfold/view.h>
#include <stdbool.h>
#include <time.h>

#define RECEIPT_SCHEMA 1	/* raised when a member changes its meaning or goes; new ones may come */

/* Nanoseconds. */
struct receipt_durations {
	uint64_t setup;	/* from the program's start to the making of the child, without the next two */
	uint64_t wait;	/* for other commands of the session */
	uint64_t sync;	/* the view */
	uint64_t start;	/* from the making of the child to the command's first instruction */
	uint64_t run;	/* until the command ended */
	uint64_t settle;	/* until everything was over */
	uint64_t total;
};

/* A gap that the caller accepted. */
struct receipt_relaxation {
	const char *name, *construct, *why, *lift;
};

/* Something that the policy refused: each once, with how often it was tried. */
struct receipt_denial {
	const char *operation;	/* "read", "write" … */
	char *call;	/* the system call's name */
	char *target, *why, *lift;
	uint64_t count;
};

struct receipt {
	struct timespec started;	/* CLOCK_REALTIME */
	const char *const *argv;
	const char *placement;	/* "sandbox" or "host" */

	const char *arm;	/* NULL for none: placement host */
	const char *arm_version;	/* of its module */
	const char *statement;
	const struct pinfold_offer *offer;
	const char *const *relaxed;	/* constructs whose gaps were accepted and met */
	const struct receipt_relaxation *relaxations;
	size_t relaxation_count;
	const char *const *passed_over;

	const char *tree, *directory;
	const char *view;
	const char *source;	/* what the view shows: the copy */
	const char *session;	/* NULL for none */
	bool kept;		/* it waits for the next command */
	const struct pinfold_work *work;	/* NULL where nothing was brought up to date */

	const char *const *rewritten;	/* "from -> to": paths of the policy as the kernel matches them */
	const char *const *dropped;	/* names of variables */
	const struct application *wrappers;	/* what was done about compiler wrappers */
	size_t wrapper_count;

	const struct receipt_denial *denials;	/* NULL: nobody asked */
	size_t denial_count;
	uint64_t denials_more;	/* attempts past what is kept */
	const char *const *unheard;	/* kinds that cannot be told, each followed by why; NULL-terminated, or NULL */
	const char *denials_trouble;	/* why not all is told; NULL: all is */

	const char *limit;	/* the key of [limits] that ended the command; NULL: none that is known */
	uint32_t survivors, left;
	uint64_t user_nanoseconds, system_nanoseconds, peak_bytes;
	uint32_t ending;	/* enum pinfold_ending_kind */
	int32_t value;		/* exit code or signal */
	uint32_t exit_code;
	struct receipt_durations durations;
};

/* What happens in a run, in this order; each says the members of the receipt that are known by then. */
enum receipt_event {
	RECEIPT_CHOSEN = 0,	/* placement and arm */
	RECEIPT_VIEW,		/* the view is up to date */
	RECEIPT_STARTED,	/* the command runs */
	RECEIPT_ENDED,
	RECEIPT_SETTLED,	/* nothing of it is left to be done */
	RECEIPT_EVENTS
};

/* All texts are JSON and the caller's to free. */
int receipt_write(const struct receipt *receipt, char **ret_json, struct pinfold_error *err);
/* The receipt of a run that never was. NULL when memory is gone. */
char *receipt_refusal(const struct pinfold_error *reason);
/* Events, on one line each without a newline; NULL when memory is gone. `run` tells the lines of one run from
 * others', `nanoseconds` count from its beginning. */
char *receipt_event(enum receipt_event event, const struct receipt *receipt, const char *run,
		    uint64_t nanoseconds);
char *receipt_application_event(const struct application *application, const char *run,
				uint64_t nanoseconds);
char *receipt_refusal_event(const struct pinfold_error *reason, int exit_code);

#endif

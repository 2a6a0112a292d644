/* wrappers/decisions.h - decisions kept between runs, in the caller's private cache directory.
 *
 * A decision comes back whole, under the key and the stamps that it was kept with, or not at all: what
 * cannot be read, is another's, or was written by a later pinfold is measured again. What could not be told
 * may be told another time, when the machine is less busy: it counts for a quarter of an hour. Only digests
 * of environment and files are kept, never their content.
 */
#ifndef WRAPPERS_DECISIONS_H
#define WRAPPERS_DECISIONS_H

#include "wrappers/decision.h"
#include "wrappers/fingerprint.h"

#include <pinfold/error.h>

/* What a decision is about. */
struct decision_key {
	char key[FINGERPRINT_ROOM];	/* of confinement, directory and environment */
	char stamps[FINGERPRINT_ROOM];	/* of everything that could change the answer */
	const char *arm, *tree;	/* for a person */
};

/* 1 with the decision, or 0. */
int decisions_recall(const struct decision_key *key, struct decision *ret_decision);
/* Best effort. */
void decisions_keep(const struct decision_key *key, const struct decision *decision);

/* Held while one run measures. 1 when it is ours, 0 when another run has it, -1 where there is no lock
 * to be had. To be closed. */
int decisions_lock(const struct decision_key *key, int *fd);

/* All that are kept. */
struct kept_decision {
	struct decision decision;
	char *arm, *tree;
	int64_t measured;	/* seconds since 1970 */
};
struct kept_decisions {
	struct kept_decision *items;
	size_t count;
};
int decisions_list(struct kept_decisions *ret_list, struct pinfold_error *err);
void decisions_list_release(struct kept_decisions *list);
/* Removes those about `tree`, or all for NULL; *ret_count: how many went. */
int decisions_forget(const char *tree, size_t *ret_count, struct pinfold_error *err);

#endif

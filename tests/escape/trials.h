/* escape/trials.h - one case tried: without confinement, and in one way of running. */
#ifndef ESCAPE_TRIALS_H
#define ESCAPE_TRIALS_H

#include "arms.h"
#include "running.h"

/* The text of an attempt is in here. */
struct trial {
	struct attempt attempt;
	char text[640];
};

int trial_control(struct world *world, const struct entry *entry, struct trial *ret_trial);
int trial_confined(struct world *world, const struct entry *entry, const struct way *way, struct trial *ret_trial);

/* Many that need nothing special, in one command. True where nothing at all was seen from outside, so that what each
 * says of itself can be taken; else each is to be tried by itself. */
bool trial_batch(struct world *world, const struct entry *const *entries, size_t count, const struct way *way,
		 struct trial *ret_trials);
bool trial_can_batch(const struct entry *entry);

/* trials_after.c: what the host does with what was left: shows it, applies it, brings the copy up to date. */
void trial_afterwards(struct world *world, const struct way *way, struct effects *effects);

/* The beginning of a command line: pinfold, run and the options of a way. Returns how many. */
size_t trial_begin(const struct world *world, const struct way *way, const char **arguments);

#endif

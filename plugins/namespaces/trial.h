/* plugins/namespaces/trial.h - makes a plan's confinement in throw-away processes, to look from inside. */
#ifndef TRIAL_H
#define TRIAL_H

#include "namespaces.h"

enum trial_step {
	TRIAL_CLONE = 0,	/* make the namespaces */
	TRIAL_MAP,	/* map the ids */
	TRIAL_LOOPBACK,
	TRIAL_VIEW,
	TRIAL_FORK,
	TRIAL_APPLY,
	TRIAL_VERIFY,
	TRIAL_INSIDE,	/* what the caller looks at */
	TRIAL_DONE
};

struct trial {
	uint32_t step;	/* how far it came */
	int32_t error;	/* the errno that ended it, or 0 */
	const char *what;	/* what the arm was doing then, or NULL */
};

/* Calls `inside` (0, or a negative errno) where the command would run, and waits for the end. */
void trial_run(const struct pinfold_host *host, const struct pinfold_plan *plan,
	       long (*inside)(void *context), void *context, struct trial *ret_trial);
/* In a process that has just come into a user namespace: 0, or a negative errno. */
int trial_map_ids(uid_t user, gid_t group);

#endif

/* plugins/namespaces/probe.h - what this machine lets the arm promise, found by doing. */
#ifndef PROBE_H
#define PROBE_H

#include "trial.h"

int probe_offer(const struct pinfold_host *host, struct pinfold_offer *offer,
		struct pinfold_error *err);

/* What of the machine explains a refusal; each as found, or -1 where there is no such switch. */
struct switches {
	long apparmor_restricts;	/* kernel.apparmor_restrict_unprivileged_userns */
	long clone_allowed;	/* kernel.unprivileged_userns_clone */
	long namespaces_allowed;	/* user.max_user_namespaces */
	bool root;
	bool has_wrapper;	/* /usr/bin/bwrap is there */
};

struct refusal {
	const char *missing, *lift;
};
/* Why a trial ended where it did: never NULL, never a bare error number. */
struct refusal refusal_explain(const struct trial *trial, const struct switches *switches);

#endif

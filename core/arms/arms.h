/* arms/arms.h - what the arms of this machine offer, and which one a run gets. */
#ifndef ARMS_ARMS_H
#define ARMS_ARMS_H

#include "base/list.h"
#include "registry/registry.h"

/* An arm with what probing found, or why it could not be probed (then arm may be NULL and the offer
 * is a refusal with `missing` and `lift`). */
struct arms_offer {
	const char *name;
	const struct pinfold_arm *arm;
	struct pinfold_offer offer;	/* its texts live as long as this object */
	bool remembered;	/* from the record of an earlier probe on this boot */
	void *memory;
};

/* Probes one arm, in a process of its own with a deadline. `fresh` false: a remembered available
 * offer counts while kernel, boot, user, module, section and the caller's own confinement are the
 * same; a refusal is never remembered. Never fails: what goes wrong is a refusal (NULL only when memory
 * is gone). */
struct arms_offer *arms_probe(struct registry *registry, const struct config *config,
			      const char *name, bool fresh);
void arms_offer_free(struct arms_offer *offer);

/* Whether the host has a cgroup of a run's own, for the axis `resources`; where it has none, why. */
struct arms_group {
	bool wanted;	/* else nobody looked, and no arm keeps it */
	bool had;
	const char *why, *lift;
};
void arms_answer_group(struct arms_offer *offer, const struct arms_group *group);

/* Adds the names of all arms to a list, each once: the preference first, then the others of every
 * module, such as those that are always refused. */
int arms_names(struct registry *registry, const struct config *config, struct list *names);

/* Chooses: the first arm of the preference, or the one arm that the caller named, whose promises
 * cover `require`, and which (`becomes`) needs nobody beside the command. `passed` gets one line for each arm that was passed over: what is no longer held
 * or missing. -1 with PINFOLD_E_SANDBOX_DENIED names each arm's missing axes and what lifts them. */
struct arms_choice {
	struct arms_offer *offer;
	struct list passed;
};
int arms_choose(struct registry *registry, const struct config *config, uint64_t require, bool becomes,
		const struct arms_group *group, struct arms_choice *ret_choice, struct pinfold_error *err);
/* For what is only explained: the one arm that the caller named, although it is refused here; `passed` says
 * so. -1 where none is named, or it cannot be loaded. */
int arms_take_refused(struct registry *registry, const struct config *config, struct arms_choice *ret_choice);
/* Forgets a remembered offer that a run found untrue. */
void arms_forget(struct registry *registry, const struct config *config, const char *name);
void arms_choice_release(struct arms_choice *choice);

/* "NAME: it guarantees that …, …, and …; it does not guarantee: …." The caller frees it. */
char *arms_statement(const char *name, const struct pinfold_offer *offer);

#endif

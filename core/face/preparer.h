/* face/preparer.h - what a plugin knows of a wrapper that it makes ready. */
#ifndef FACE_PREPARER_H
#define FACE_PREPARER_H

#include "base/list.h"

#include <pinfold/wrapper.h>
#include <stdbool.h>

struct pinfold_run;
struct registry;

/* A preparer that was asked about one wrapper; zero where no plugin knows it. */
struct preparer {
	struct registry *registry;
	const struct pinfold_wrapper *wrapper;
	struct pinfold_host *host;
	struct pinfold_preparation preparation;
	void *state;
	bool asked;	/* so it is to be settled */
	bool started;	/* its helper did not run before */
	bool silent;	/* and does not answer where it should, though its start was tried */
};

/* Finds who knows the program, and asks what it needs; paths that it names go into the run's policy.
 * -1: it failed, and says why. The environment of the command must stay. */
int preparer_ask(struct pinfold_run *run, const char *program, const char *const *environment,
		 struct preparer *ret_preparer, struct pinfold_error *err);
/* Adds what it wants in the environment. -1: memory. */
int preparer_surround(const struct preparer *preparer, struct list *variables);
/* In an arm that confines nothing: starts its helper outside, unless it answers already. */
int preparer_start(const struct pinfold_run *run, struct preparer *preparer, struct pinfold_error *err);
/* Ends a helper that turned out to be of no use, unless it ran before. */
void preparer_stop(const struct pinfold_run *run, const struct preparer *preparer);
/* The host's caches that the command can write; NULL for none. */
const char *const *preparer_shared(const struct pinfold_run *run, const struct preparer *preparer);
void preparer_release(struct preparer *preparer);

#endif

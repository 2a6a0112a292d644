/* face/wrapping.h - compiler wrappers of one run: looked for, decided about, and applied. */
#ifndef FACE_WRAPPING_H
#define FACE_WRAPPING_H

#include "base/list.h"
#include "face/preparer.h"
#include "wrappers/decision.h"
#include "wrappers/decisions.h"
#include "wrappers/measure.h"

struct pinfold_run;

/* One toolchain of the run. */
struct wrapping {
	const struct toolchain *toolchain;
	struct look look;
	struct sight sight;
	struct decision decision;
	struct preparer preparer;
	bool decided;
	bool passing;	/* the decision says nothing of the wrapper, but of this run: it is not kept */
	bool refused;	/* and the command will be refused as the trial was */
};

/* Of a run that can compile; zero for any other. */
struct wrappings {
	struct wrapping items[TOOLCHAINS_MOST];
	size_t count;
	struct list surroundings;	/* the command's environment before its places are known */
	char *directory;	/* the working directory as the command will see it */
	struct sight_layer *layers;
	size_t layer_count;
};

/* Could a wrapper be met? If not there is nothing to decide. */
bool wrapping_is_asked(const struct pinfold_run *run);
/* After the view is open and before the arm prepares: decides about every toolchain, by what is kept of
 * an earlier measurement, or by measuring. Only a lack of memory fails. */
int wrapping_decide(struct pinfold_run *run, struct pinfold_error *err);
/* Adds to a statement what follows from a cache that the command can write. -1: memory. */
int wrapping_state(const struct pinfold_run *run, char **statement);
/* Has the helpers of those that a build proved started inside before the command. -1: memory. */
int wrapping_help(struct pinfold_run *run);
/* Takes every wrapper that no build proved out of the command's environment. */
int wrapping_apply(const struct pinfold_run *run, struct list *variables);
void wrapping_release(struct wrappings *wrappings);

/* face/looking.c: looks at every toolchain, and again at one that something could name a wrapper for, with all
 * of the environment. */
int wrapping_look(struct pinfold_run *run, struct pinfold_error *err);
void wrapping_look_again(struct pinfold_run *run, struct wrapping *wrapping);

/* face/throwaway.c: a throwaway build, confined exactly as the command will be. */
struct throwaway {
	struct pinfold_run *run;	/* whose arm, view, policy and environment it gets */
	const struct wrapping *wrapping;
	const char *name;	/* of the wrapper, for whoever looks on */
	uint64_t deadline;	/* CLOCK_MONOTONIC, for all builds together */
	bool given_up;	/* the caller wants no more of it */
	bool unfit;	/* one could not be confined as the command, or had no room: the wrapper was not tried */
	bool refused;	/* by the policy */
};
/* Whether the caller wants it to be given up: to be asked several times a second. */
bool throwaway_is_given_up(const struct pinfold_run *run, const char *wrapper, bool waits);
/* A `build` of struct measurement; the context is a struct throwaway. */
void throwaway_build(void *context, size_t trial, bool with, struct outcome *ret_outcome);

/* face/wrapping_key.c: what a decision is about. */
int wrapping_key(const struct pinfold_run *run, const struct wrapping *wrapping,
		 struct decision_key *ret_key, struct pinfold_error *err);

#endif

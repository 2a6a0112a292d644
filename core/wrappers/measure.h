/* wrappers/measure.h - deciding about a wrapper by building something through it.
 *
 * In this order: what was left running outranks everything, success too; then success; only after a
 * failure is the same built without any wrapper, to tell a wrapper that cannot run here from a
 * toolchain that cannot.
 */
#ifndef WRAPPERS_MEASURE_H
#define WRAPPERS_MEASURE_H

#include "wrappers/decision.h"
#include "wrappers/toolchain.h"

/* What came of one throwaway build. */
struct outcome {
	bool started;	/* else `output` says why not */
	bool success;
	bool late;	/* it was ended at the deadline */
	uint32_t survivors;	/* processes that outlived it, were provably its own, and were ended */
	uint32_t left;	/* processes of it that could not be ended, or not be proven its own */
	char *output;	/* what it said; of the error stream */
};
void outcome_release(struct outcome *outcome);

struct measurement {
	const struct toolchain *toolchain;
	const struct look *look;
	const char *arm;
	const char *preparer;	/* who knows the wrapper, or NULL */
	bool nothing_survives;	/* whatever it starts ends with the command, by the arm's own means */
	bool has_helper;	/* which may lose its start on a busy machine: what failed once is built again */
	/* Builds with the command's environment, or with every wrapper switched off. Never fails: what
	 * goes wrong is the outcome of a build that was not started. */
	void (*build)(void *context, size_t trial, bool with, struct outcome *ret_outcome);
	void *context;
};

/* 0 with a decision, or -1 when memory is gone. */
int measure(const struct measurement *measurement, struct decision *ret_decision);

#endif

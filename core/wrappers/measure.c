/* wrappers/measure.c - deciding about a wrapper by building something through it. */
#include "wrappers/measure.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "wrappers/cargo_output.h"

void outcome_release(struct outcome *outcome)
{
	free(outcome->output);
	*outcome = (struct outcome){ 0 };
}

static const char *said(const struct outcome *outcome)
{
	return outcome->output ? outcome->output : "";
}

/* The wrapper as it was run or tried; where a build does not tell, as it was named. */
static char *name_wrapper(const struct measurement *measurement, const struct outcome *outcome)
{
	const struct toolchain *toolchain = measurement->toolchain;
	const struct list *named = &measurement->look->candidates;
	if (!toolchain->used)
		return named->count > 0 ? strdup(named->items[0]) : NULL;
	char *wrapper = toolchain->used(said(outcome));
	return wrapper || outcome->success ? wrapper : toolchain->tried(said(outcome));
}

static int decide(const struct measurement *measurement, uint32_t kind, const char *wrapper,
		  struct text *reason, struct decision *ret_decision)
{
	auto_free char *why = text_take(reason);
	auto_free char *shown = NULL;
	struct text quoted = { 0 };
	if (wrapper) {
		text_add_quoted(&quoted, wrapper);
		shown = text_take(&quoted);
	}
	if (!why || (wrapper && !shown))
		return -1;
	return decision_fill(ret_decision, kind, measurement->toolchain->name, shown, why,
			     measurement->look->sight->directory);
}

static const char *plural(uint32_t count)
{
	return count == 1 ? "process" : "processes";
}

/* What a build left outranks how it ended. True where that decides. */
static bool decide_by_remains(const struct measurement *measurement, const struct outcome *outcome,
			      uint32_t *ret_kind, struct text *reason)
{
	if (outcome->left > 0) {
		*ret_kind = DECISION_UNMEASURED;
		text_addf(reason, "%u %s that the throwaway build started could not be ended or proven "
			  "its own; what is left was not signalled", outcome->left, plural(outcome->left));
		return true;
	}
	if (outcome->survivors == 0 || measurement->nothing_survives)
		return false;
	*ret_kind = DECISION_DISABLED;
	text_addf(reason, "it left %u %s running, which would serve other builds from this confinement; "
		  "all were ended", outcome->survivors, plural(outcome->survivors));
	return true;
}

static void praise(const struct measurement *measurement, const struct outcome *outcome,
		   struct text *reason)
{
	text_addf(reason, "a throwaway build compiled through it in the arm %s", measurement->arm);
	if (measurement->nothing_survives && outcome->survivors > 0)
		text_add(reason, ", with a helper of its own that ended with the build");
	else if (measurement->nothing_survives)
		text_add(reason, ", where nothing can outlive a command");
}

/* The first build's failure, weighed by a second one without any wrapper. */
static void weigh_failure(const struct measurement *measurement, size_t trial,
			  const struct outcome *with, uint32_t *ret_kind, struct text *reason)
{
	struct outcome without = { 0 };
	measurement->build(measurement->context, trial, false, &without);
	bool success = without.started && without.success;
	auto_free char *first = output_error(said(with)), *second = output_error(said(&without));
	*ret_kind = success ? DECISION_DISABLED : DECISION_UNMEASURED;
	if (!first || !second)
		reason->failed = true;
	else if (success)
		text_addf(reason, "it cannot run in the arm %s: %s", measurement->arm, first);
	else
		text_addf(reason, "a throwaway build failed with it and without it: with it: %s; "
			  "without it: %s", first, second);
	outcome_release(&without);
}

/* True where this build decides; else it succeeded, and *ret_kind says whether a wrapper ran. */
static bool weigh(const struct measurement *measurement, size_t trial, const struct outcome *outcome,
		  const char *wrapper, uint32_t *ret_kind, struct text *reason)
{
	*ret_kind = DECISION_UNMEASURED;
	if (!outcome->started && measurement->toolchain->used) {
		text_addf(reason, "the throwaway build cannot be started: %s", said(outcome));
		return true;
	}
	if (outcome->late && outcome->left == 0) {	/* all that ran was ended, and none of it was left behind */
		text_add(reason, "the throwaway build did not end within [wrappers] deadline, and was ended");
		return true;
	}
	if (decide_by_remains(measurement, outcome, ret_kind, reason))
		return true;
	if (!outcome->success) {
		weigh_failure(measurement, trial, outcome, ret_kind, reason);
		return true;
	}
	*ret_kind = wrapper ? DECISION_KEPT : DECISION_NOT_CONFIGURED;
	return false;
}

int measure(const struct measurement *measurement, struct decision *ret_decision)
{
	const char *name = measurement->toolchain->name;
	size_t count = measurement->look->trial_count;
	int result = -1;
	for (size_t i = 0; i < (count ? count : 1); i++) {
		struct outcome outcome = { 0 };
		struct text reason = { 0 };
		uint32_t kind;
		measurement->build(measurement->context, i, true, &outcome);
		auto_free char *wrapper = name_wrapper(measurement, &outcome);
		bool last = weigh(measurement, i, &outcome, wrapper, &kind, &reason) || i + 1 >= count;
		if (kind == DECISION_KEPT)
			praise(measurement, &outcome, &reason);
		else if (kind == DECISION_NOT_CONFIGURED)
			text_addf(&reason, "%s named no wrapper in a throwaway build", name);
		if (last)
			result = decide(measurement, kind, wrapper, &reason, ret_decision);
		text_release(&reason);
		outcome_release(&outcome);
		if (last)
			break;
	}
	return result;
}

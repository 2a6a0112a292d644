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
	text_add(reason, "a throwaway build compiled through it");
	if (measurement->preparer)
		text_addf(reason, ", made ready by the preparer %s,", measurement->preparer);
	text_addf(reason, " in the arm %s", measurement->arm);
	if (measurement->nothing_survives && outcome->survivors > 0)
		text_add(reason, ", with a helper of its own that ended with the build");
	else if (measurement->nothing_survives)
		text_add(reason, ", where nothing can outlive a command");
}

/* What one trial found. */
struct finding {
	uint32_t kind;
	char *wrapper;
	struct text reason;
	bool failed;	/* the build through the wrapper did, and nothing else decided */
	bool decides;	/* else it succeeded, and the next trial may find more */
};

static void finding_release(struct finding *finding)
{
	free(finding->wrapper);
	text_release(&finding->reason);
	*finding = (struct finding){ 0 };
}

/* The first build's failure, weighed by a second one without any wrapper. */
static void weigh_failure(const struct measurement *measurement, size_t trial,
			  const struct outcome *with, struct finding *finding)
{
	struct outcome without = { 0 };
	measurement->build(measurement->context, trial, false, &without);
	bool success = without.started && without.success;
	auto_free char *first = output_error(said(with)), *second = output_error(said(&without));
	finding->kind = success ? DECISION_DISABLED : DECISION_UNMEASURED;
	if (!first || !second)
		finding->reason.failed = true;
	else if (success)
		text_addf(&finding->reason, "it cannot run in the arm %s: %s", measurement->arm, first);
	else
		text_addf(&finding->reason, "a throwaway build failed with it and without it: with it: %s; "
			  "without it: %s", first, second);
	outcome_release(&without);
}

static void weigh(const struct measurement *measurement, const struct outcome *outcome, struct finding *finding)
{
	finding->kind = DECISION_UNMEASURED;
	finding->decides = true;
	if (!outcome->started && measurement->toolchain->used) {
		text_addf(&finding->reason, "the throwaway build cannot be started: %s", said(outcome));
	} else if (outcome->late && outcome->left == 0) {	/* all that ran was ended, and nothing of it left */
		text_add(&finding->reason, "the throwaway build did not end within [wrappers] deadline, and was ended");
	} else if (!decide_by_remains(measurement, outcome, &finding->kind, &finding->reason)) {
		finding->failed = finding->decides = !outcome->success;
		if (outcome->success)
			finding->kind = finding->wrapper ? DECISION_KEPT : DECISION_NOT_CONFIGURED;
	}
}

static void try(const struct measurement *measurement, size_t trial, bool again, struct finding *ret_finding)
{
	struct outcome outcome = { 0 };
	struct finding finding = { 0 };
	measurement->build(measurement->context, trial, true, &outcome);
	finding.wrapper = name_wrapper(measurement, &outcome);
	weigh(measurement, &outcome, &finding);
	if (finding.failed && !again)
		weigh_failure(measurement, trial, &outcome, &finding);
	else if (finding.kind == DECISION_KEPT)
		praise(measurement, &outcome, &finding.reason);
	else if (finding.kind == DECISION_NOT_CONFIGURED)
		text_addf(&finding.reason, "%s named no wrapper in a throwaway build",
			  measurement->toolchain->name);
	outcome_release(&outcome);
	*ret_finding = finding;
}

/* A failure for want of a helper that lost its start says nothing of the next time: it counts when it comes
 * twice. */
static void confirm(const struct measurement *measurement, size_t trial, struct finding *finding)
{
	struct finding first = *finding, second;
	if (!measurement->has_helper || !finding->failed || finding->kind != DECISION_DISABLED)
		return;
	try(measurement, trial, true, &second);
	*finding = second.failed ? first : second;
	finding_release(second.failed ? &second : &first);
}

int measure(const struct measurement *measurement, struct decision *ret_decision)
{
	size_t count = measurement->look->trial_count;
	int result = -1;
	for (size_t i = 0; i < (count ? count : 1); i++) {
		struct finding finding;
		try(measurement, i, false, &finding);
		confirm(measurement, i, &finding);
		bool last = finding.decides || i + 1 >= count;
		if (last)
			result = decide(measurement, finding.kind, finding.wrapper, &finding.reason, ret_decision);
		finding_release(&finding);
		if (last)
			break;
	}
	return result;
}

/* face/receipt.c - the machine-readable record of one run. */
#include "config.h"

#include "base/fault.h"
#include "face/document.h"
#include "face/face.h"

static json_t *number(uint64_t value)
{
	return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

static json_t *work_facts(const struct pinfold_run *run)
{
	const struct pinfold_work *work = &run->work;
	return json_pack("{s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "fresh", (int)work->fresh,
			 "walked", number(work->walked), "created", number(work->created),
			 "rewritten", number(work->rewritten), "removed", number(work->removed),
			 "bytes", number(work->bytes), "skipped", number(work->skipped),
			 "skipped_names", document_list(&run->skipped), "nanoseconds",
			 number(work->nanoseconds));
}

static json_t *view_facts(const struct pinfold_run *run)
{
	bool made = run->shown.source && !streq(run->shown.source, run->shown.tree);
	return json_pack("{s:o, s:o, s:o}", "name", document_text(run->view_name), "tree",
			 document_text(run->directory.path), "work",
			 made || run->work.size ? work_facts(run) : json_null());
}

static json_t *arm_facts(const struct pinfold_run *run)
{
	const struct arms_offer *offer = run->choice.offer;
	if (!offer)
		return json_null();
	return json_pack("{s:o, s:o, s:b}", "name", document_text(offer->name), "keeps",
			 document_axes(offer->offer.kept), "remembered", (int)offer->remembered);
}

static json_t *ending_facts(const struct pinfold_run *run)
{
	static const char *const kinds[] = { "ended", "signalled", "timed_out", "unknown" };
	const struct child_event *end = &run->end;
	json_t *facts = json_pack("{s:s, s:i}", "kind", kinds[end->ending % 4], "exit_code",
				  (int)settle_exit_code(end));
	if (facts && end->ending == PINFOLD_ENDED)
		json_object_set_new(facts, "code", json_integer(end->value));
	if (facts && end->ending == PINFOLD_SIGNALLED)
		json_object_set_new(facts, "signal", json_integer(end->value));
	return facts;
}

static json_t *duration_facts(const struct pinfold_run *run)
{
	return json_pack("{s:o, s:o, s:o}", "setup_nanoseconds",
			 number(run->launched - run->began), "command_nanoseconds",
			 number(run->ended - run->launched), "settle_nanoseconds",
			 number(run->settled_at - run->ended));
}

static json_t *usage_facts(const struct pinfold_run *run)
{
	return json_pack("{s:o, s:o, s:o}", "user_nanoseconds", number(run->end.user_nanoseconds),
			 "system_nanoseconds", number(run->end.system_nanoseconds), "peak_bytes",
			 number(run->end.peak_bytes));
}

int pinfold_run_receipt(struct pinfold_run *run, char **ret_json, struct pinfold_error *err)
{
	if (!run->settled)
		return fault(err, PINFOLD_E_USAGE, 0, "give the receipt of a run",
			     "it is not settled", "ask for its result first");
	json_t *facts = json_pack(
		"{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:i, s:o, s:o}",
		"pinfold", pinfold_version(), "where", run->choice.offer ? "sandbox" : "host",
		"arm", arm_facts(run), "statement", document_text(run->statement), "passed_over",
		document_list(&run->passed_over), "not_held", document_list(&run->not_held), "view",
		view_facts(run), "program", document_text(run->seen_program), "environment_dropped",
		document_list(&run->environment.dropped), "ending", ending_facts(run), "survivors",
		(int)run->end.survivors, "left", (int)run->end.left, "durations", duration_facts(run), "usage",
		usage_facts(run));
	return document_write(facts, PINFOLD_FORM_JSON, NULL, ret_json, err);
}

char *pinfold_refusal_receipt(const struct pinfold_error *given)
{
	char *document = NULL;
	json_t *refusal = given ? document_error(given) : NULL;
	json_t *facts = json_pack("{s:s, s:o}", "pinfold", pinfold_version(), "refusal", refusal);
	document_write(facts, PINFOLD_FORM_JSON, NULL, &document, NULL);
	return document;
}

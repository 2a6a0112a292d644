/* face/explain.c - what a run would do, as a document: everything up to the first lasting step. */
#include "config.h"

#include "base/fault.h"
#include "face/document.h"
#include "face/face.h"

#include <sched.h>
#include <string.h>

static json_t *path_facts(const struct pinfold_policy *policy, uint32_t kind)
{
	json_t *paths = json_array();
	for (size_t i = 0; paths && i < policy->path_count; i++)
		if (policy->paths[i].kind == kind)
			json_array_append_new(paths, document_text(policy->paths[i].path));
	return paths;
}

static json_t *rule_facts(const struct policy *policy)
{
	static const char *const networks[] = { "none", "loopback", "host" };
	const struct pinfold_policy *lowered = &policy->lowered;
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "network",
			 networks[lowered->network % 3], "hidden",
			 path_facts(lowered, PINFOLD_PATH_HIDE), "writable",
			 path_facts(lowered, PINFOLD_PATH_WRITE), "layered",
			 path_facts(lowered, PINFOLD_PATH_LAYER), "missing",
			 document_list(&policy->missing), "rewritten",
			 document_list(&policy->rewritten), "require",
			 document_axes(policy->require), "relax", document_strings(lowered->relax));
}

static json_t *gap_facts(const struct pinfold_plan *plan)
{
	json_t *gaps = json_array();
	for (uint32_t i = 0; gaps && i < plan->gap_count; i++) {
		const struct pinfold_gap *gap = &plan->gaps[i];
		json_array_append_new(gaps, json_pack("{s:o, s:o, s:o, s:o}", "name",
						      document_text(gap->name), "construct",
						      document_text(gap->construct), "why",
						      document_text(gap->why), "lift",
						      document_text(gap->lift)));
	}
	return gaps;
}

static json_t *namespace_facts(uint64_t flags)
{
	static const struct {
		uint64_t flag;
		const char *name;
	} kinds[] = {
		{ CLONE_NEWUSER, "user" }, { CLONE_NEWNS, "mount" }, { CLONE_NEWPID, "pid" },
		{ CLONE_NEWNET, "net" }, { CLONE_NEWIPC, "ipc" }, { CLONE_NEWUTS, "uts" },
		{ CLONE_NEWCGROUP, "cgroup" },
	};
	json_t *names = json_array();
	for (size_t i = 0; names && i < N_ELEMENTS(kinds); i++)
		if (flags & kinds[i].flag)
			json_array_append_new(names, json_string(kinds[i].name));
	return names;
}

static json_t *run_facts(const struct pinfold_run *run, const struct pinfold_error *refusal)
{
	const struct pinfold_plan *plan = &run->arm.plan;
	const struct arms_offer *offer = run->choice.offer;
	bool moved = run->arm.arm && run->arm.arm->placing == PINFOLD_PLACING_IDENTITY;
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "where", offer ? "sandbox" : "host",
			 "arm", document_text(offer ? offer->name : NULL),
			 "statement", document_text(run->statement),
			 "passed_over", document_list(&run->passed_over),
			 "view", document_text(run->view_name),
			 "tree", document_text(run->directory.path),
			 "directory", document_text(moved ? NULL : confine_directory(run)),
			 "program", document_text(run->program),
			 "new_namespaces", namespace_facts(plan->namespaces),
			 "rules", rule_facts(run->policy),
			 "gaps", gap_facts(plan),
			 "not_held", document_list(&run->not_held),
			 "environment_dropped", document_list(&run->environment.dropped),
			 "refusal", refusal->code ? document_error(refusal) : json_null());
}

static void add_member(struct text *text, const json_t *object, const char *member,
		       const char *label, bool colour)
{
	const json_t *value = json_object_get(object, member);
	if (!value || json_is_null(value) || (json_is_array(value) && json_array_size(value) == 0))
		return;
	document_add_colour(text, colour, "strong");
	text_addf(text, "%-13s", label);
	document_add_colour(text, colour, "");
	text_add(text, " ");
	if (json_is_array(value))
		document_add_list(text, value);
	else
		document_add_quoted(text, object, member);
	text_add(text, "\n");
}

static void add_refusal(struct text *text, const json_t *refusal, bool colour)
{
	if (!json_is_object(refusal))
		return;
	document_add_colour(text, colour, "bad");
	text_add(text, "refused: cannot ");
	document_add_quoted(text, refusal, "action");
	document_add_colour(text, colour, "");
	text_add(text, "\n  subject: ");
	document_add_quoted(text, refusal, "subject");
	text_add(text, "\n  try:     ");
	document_add_quoted(text, refusal, "recovery");
	text_add(text, "\n");
}

static void render_run(struct text *text, const json_t *facts, bool colour)
{
	static const char *const of_run[][2] = {
		{ "statement", "statement" }, { "passed_over", "passed over" },
		{ "view", "view" }, { "tree", "tree" }, { "directory", "directory" },
		{ "program", "program" }, { "new_namespaces", "own spaces" },
		{ "not_held", "not held" }, { "environment_dropped", "dropped" },
	};
	static const char *const of_rules[][2] = {
		{ "network", "network" }, { "hidden", "hidden" }, { "writable", "writable" },
		{ "layered", "layered" }, { "missing", "missing" }, { "rewritten", "rewritten" },
		{ "require", "require" }, { "relax", "relax" },
	};
	const json_t *rules = json_object_get(facts, "rules");
	for (size_t i = 0; i < N_ELEMENTS(of_run); i++)
		add_member(text, facts, of_run[i][0], of_run[i][1], colour);
	for (size_t i = 0; i < N_ELEMENTS(of_rules); i++)
		add_member(text, rules, of_rules[i][0], of_rules[i][1], colour);
	add_refusal(text, json_object_get(facts, "refusal"), colour);
}

/* The arm prepares for the tree itself: nothing is copied, and nothing is left. */
static int explain(struct pinfold_run *run, json_t **ret_facts, struct pinfold_error *err)
{
	struct pinfold_error refusal = { 0 };
	if (resolve_run(run, err) < 0 || surroundings_find_program(run, err) < 0 ||
	    resolve_arm(run, err) < 0 || view_imagine(run, err) < 0)
		return -1;
	confine_prepare(run, &refusal);
	if (surroundings_build(run, err) < 0)
		return -1;
	*ret_facts = run_facts(run, &refusal);
	return 0;
}

int pinfold_describe_run(struct pinfold *pinfold, const struct pinfold_command *given, uint32_t form,
			 char **ret_document, struct pinfold_error *err)
{
	struct pinfold_command command;
	struct pinfold_error why = { 0 };
	json_t *facts = NULL;
	if (command_read(given, &command, err) < 0)
		return -1;
	struct pinfold_run *run = run_new(pinfold, &command);
	if (!run)
		return fault_no_memory(err);
	int result = explain(run, &facts, &why);
	pinfold_run_free(run);
	if (result == 0)
		return document_write(facts, form, render_run, ret_document, err);
	if (err)
		*err = why;
	return -1;
}

/* face/explain.c - what a run would do, as a document: everything up to the first lasting step. */
#include "config.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/text.h"
#include "face/face.h"
#include "face/present.h"

#include <sched.h>
#include <stdlib.h>

static void put_paths(struct document *rules, const char *name,
		      const struct pinfold_policy *policy, uint32_t kind)
{
	struct document paths = document_list();
	for (size_t i = 0; i < policy->path_count; i++)
		if (policy->paths[i].kind == kind)
			document_add(&paths, document_text(policy->paths[i].path));
	document_put_document(rules, name, &paths);
}

static void put_axes(struct document *rules, const char *name, uint64_t bits)
{
	struct document axes = document_list();
	for (unsigned axis = 0; axis < PINFOLD_AXIS_COUNT; axis++)
		if (bits >> axis & 1)
			document_add(&axes, document_text(policy_axis_name(axis)));
	document_put_document(rules, name, &axes);
}

static void put_ports(struct document *rules, const char *name, const uint16_t *ports, size_t count)
{
	struct document list = document_list();
	for (size_t i = 0; i < count; i++)
		document_add(&list, document_number(ports[i]));
	document_put_document(rules, name, &list);
}

static void put_calls(struct document *rules, const char *name, uint64_t bits)
{
	static const char *const classes[] = {
#define CALL_NAME(NAME, name_, what) name_,
		PINFOLD_CALLS(CALL_NAME)
#undef CALL_NAME
	};
	struct document list = document_list();
	for (size_t i = 0; i < N_ELEMENTS(classes); i++)
		if (bits >> i & 1)
			document_add(&list, document_text(classes[i]));
	document_put_document(rules, name, &list);
}

/* Of the whole run together; none that is 0. */
static void put_ceilings(struct document *rules, const struct policy_ceilings *ceilings)
{
	if (ceilings->memory)
		document_put(rules, "memory", document_number(ceilings->memory));
	if (ceilings->tasks)
		document_put(rules, "tasks", document_number(ceilings->tasks));
	if (ceilings->processors)
		document_put(rules, "processors_hundredths", document_number(ceilings->processors));
}

static json_t *list_value(const struct list *list)
{
	return document_texts((const char *const *)list->items);
}

static struct document rule_facts(const struct policy *policy)
{
	const struct pinfold_policy *lowered = &policy->lowered;
	struct document rules = document_object();
	document_put(&rules, "network", document_text(policy_network_name(lowered->network)));
	document_put(&rules, "scope", document_text(lowered->machine ? "machine" : "tree"));
	put_paths(&rules, "hidden", lowered, PINFOLD_PATH_HIDE);
	put_paths(&rules, "writable", lowered, PINFOLD_PATH_WRITE);
	put_paths(&rules, "layered", lowered, PINFOLD_PATH_LAYER);
	put_paths(&rules, "readable", lowered, PINFOLD_PATH_READ);
	put_paths(&rules, "executable", lowered, PINFOLD_PATH_EXECUTE);
	put_paths(&rules, "protected", lowered, PINFOLD_PATH_PROTECT);
	put_paths(&rules, "sockets", lowered, PINFOLD_PATH_SOCKET);
	put_ports(&rules, "connect", lowered->connect_ports, lowered->connect_count);
	put_ports(&rules, "listen", lowered->listen_ports, lowered->listen_count);
	put_calls(&rules, "calls_allowed", lowered->calls_allowed);
	put_calls(&rules, "calls_refused", lowered->calls_refused);
	put_ceilings(&rules, &policy->ceilings);
	document_put(&rules, "missing", list_value(&policy->missing));
	document_put(&rules, "rewritten", list_value(&policy->rewritten));
	document_put(&rules, "remarks", list_value(&policy->remarks));
	put_axes(&rules, "require", policy->require);
	document_put(&rules, "relax", document_texts(lowered->relax));
	return rules;
}

static void add_gaps(struct document *gaps, const struct pinfold_gap *gap, size_t count)
{
	for (; count > 0; count--, gap++) {
		struct document one = document_object();
		document_put(&one, "name", document_text(gap->name));
		document_put(&one, "construct", document_text(gap->construct));
		document_put(&one, "why", document_text(gap->why));
		document_put(&one, "lift", document_text(gap->lift));
		document_put(&one, "firm", document_flag(gap->firm));
		document_add_document(gaps, &one);
	}
}

static struct document gap_facts(struct pinfold_run *run)
{
	struct document gaps = document_list();
	const struct prepared_arm *arm = &run->arm;
	const struct pinfold_gap *ceilings;
	size_t count;
	add_gaps(&gaps, arm->gaps, arm->gap_count);
	add_gaps(&gaps, arm->plan.gaps, arm->plan.gap_count);
	if (ceilings_gaps(run, &ceilings, &count, NULL) < 0)
		gaps.failed = true;
	else
		add_gaps(&gaps, ceilings, count);
	return gaps;
}

static struct document relaxed_facts(const struct pinfold_run *run)
{
	struct document list = document_list();
	for (size_t i = 0; i < run->relaxed_count; i++) {
		struct document one = document_object();
		document_put(&one, "name", document_text(run->relaxed[i].name));
		document_put(&one, "construct", document_text(run->relaxed[i].construct));
		document_put(&one, "why", document_text(run->relaxed[i].why));
		document_put(&one, "lift", document_text(run->relaxed[i].lift));
		document_add_document(&list, &one);
	}
	return list;
}

/* The plan's details of one kind; constructs each with what holds it. */
static void put_details(struct document *plan, const char *name, uint32_t kind, const struct pinfold_detail *details,
			size_t count)
{
	struct document list = document_list();
	for (size_t i = 0; i < count; i++) {
		if (details[i].kind != kind)
			continue;
		if (kind != PINFOLD_DETAIL_CONSTRUCT) {
			document_add(&list, document_text(details[i].what));
			continue;
		}
		struct document one = document_object();
		document_put(&one, "construct", document_text(details[i].what));
		document_put(&one, "by", document_text(details[i].by));
		document_add_document(&list, &one);
	}
	document_put_document(plan, name, &list);
}

static struct document plan_facts(struct pinfold_run *run)
{
	struct prepared_arm *arm = &run->arm;
	const struct pinfold_detail *details = NULL;
	size_t count = 0;
	struct pinfold_error why = { 0 };
	struct document plan = document_object();
	if (arm->prepared && PINFOLD_HAS(arm->arm, describe) &&
	    arm->arm->describe(arm->host, &arm->policy, &arm->plan, &details, &count, &why) < 0)
		count = 0;
	put_details(&plan, "mounts", PINFOLD_DETAIL_MOUNT, details, count);
	put_details(&plan, "rules", PINFOLD_DETAIL_RULE, details, count);
	put_details(&plan, "filter", PINFOLD_DETAIL_FILTER, details, count);
	put_details(&plan, "constructs", PINFOLD_DETAIL_CONSTRUCT, details, count);
	return plan;
}

static struct document space_facts(uint64_t flags)
{
	static const struct {
		uint64_t flag;
		const char *name;
	} kinds[] = {
		{ CLONE_NEWUSER, "user" }, { CLONE_NEWNS, "mount" }, { CLONE_NEWPID, "pid" },
		{ CLONE_NEWNET, "net" }, { CLONE_NEWIPC, "ipc" }, { CLONE_NEWUTS, "uts" },
		{ CLONE_NEWCGROUP, "cgroup" },
	};
	struct document names = document_list();
	for (size_t i = 0; i < N_ELEMENTS(kinds); i++)
		if (flags & kinds[i].flag)
			document_add(&names, document_text(kinds[i].name));
	return names;
}

/* A moved tree's directory is that of a copy which is not there yet. */
static const char *known_directory(const struct pinfold_run *run)
{
	bool moved = run->arm.arm && run->arm.arm->placing == PINFOLD_PLACING_IDENTITY;
	return moved ? NULL : confine_directory(run);
}

static struct document wrapper_facts(const struct pinfold_run *run)
{
	struct document list = document_list();
	for (size_t i = 0; i < run->wrappings.count; i++) {
		const struct decision *decision = &run->wrappings.items[i].decision;
		struct document one = document_object();
		document_put(&one, "toolchain", document_text(decision->toolchain));
		document_put(&one, "wrapper", document_text(decision->wrapper));
		document_put(&one, "decision", document_text(decision_word(decision->kind)));
		document_put(&one, "reason", document_text(decision->reason));
		document_add_document(&list, &one);
	}
	return list;
}

static struct document run_facts(struct pinfold_run *run, const struct pinfold_error *refusal)
{
	const struct pinfold_plan *plan = &run->arm.plan;
	const struct arms_offer *offer = run->choice.offer;
	struct document facts = document_object(), rules = rule_facts(run->policy),
			gaps = gap_facts(run), relaxed = relaxed_facts(run), spaces = space_facts(plan->namespaces),
			parts = plan_facts(run), wrappers = wrapper_facts(run);
	document_put(&facts, "placement", document_text(offer ? "sandbox" : "host"));
	document_put(&facts, "arm", document_text(offer ? offer->name : NULL));
	document_put(&facts, "statement", document_text(run->statement));
	document_put(&facts, "passed_over", list_value(&run->passed_over));
	document_put(&facts, "view", document_text(run->view_name));
	document_put(&facts, "session", document_text(run->command.session));
	document_put(&facts, "tree", document_text(run->directory.path));
	document_put(&facts, "directory", document_text(known_directory(run)));
	document_put(&facts, "program", document_text(run->program));
	document_put_document(&facts, "new_namespaces", &spaces);
	document_put_document(&facts, "rules", &rules);
	document_put_document(&facts, "plan", &parts);
	document_put_document(&facts, "gaps", &gaps);
	document_put_document(&facts, "relaxations", &relaxed);
	document_put_document(&facts, "wrappers", &wrappers);
	document_put(&facts, "not_held", list_value(&run->not_held));
	document_put(&facts, "dropped", list_value(&run->environment.dropped));
	document_put(&facts, "refusal", document_error(refusal));
	return facts;
}

/* Presets name what most machines do not have: a person is told how much, a program what. */
static void add_missing(struct table *table, const json_t *rules)
{
	char count[64];
	size_t missing = json_array_size(json_object_get(rules, "missing"));
	if (missing == 0)
		return;
	snprintf(count, sizeof(count), "%zu of the named paths (--json lists them)", missing);
	table_add(table, PAINT_STRONG, "missing");
	table_add(table, PAINT_PLAIN, count);
}

/* What names no wrapper is no news. */
static void add_wrappers(struct table *table, const json_t *wrappers)
{
	static const struct present_row rows[] = { { "wrapper", "wrapper" }, { "decision", "decision" },
						   { "reason", "reason" } };
	const json_t *one;
	size_t index;
	json_array_foreach(wrappers, index, one)
		if (json_is_string(json_object_get(one, "wrapper")))
			present_rows(table, one, rows, N_ELEMENTS(rows));
}

static void add_line(struct table *table, const char *label, const char *what, const char *more)
{
	struct text line = { 0 };
	text_addf(&line, "%s: %s", what, more);
	table_add(table, PAINT_STRONG, label);
	table_add(table, PAINT_PLAIN, line.data ? line.data : what);
	text_release(&line);
}

/* Presets hide much: a person is told of each construct that is not one of those, a program of all. */
static void add_constructs(struct table *table, const json_t *constructs)
{
	const json_t *one;
	size_t index;
	json_array_foreach(constructs, index, one) {
		struct text what = { 0 }, by = { 0 };
		const char *construct = present_member(&what, one, "construct");
		if (!starts_with(construct, "hidden ") && !starts_with(construct, "hard hidden ") &&
		    !starts_with(construct, "layered "))
			add_line(table, "held", construct, present_member(&by, one, "by"));
		text_release(&what);
		text_release(&by);
	}
}

static void add_gaps_shown(struct table *table, const json_t *facts)
{
	const json_t *one;
	size_t index;
	json_array_foreach(json_object_get(facts, "gaps"), index, one) {
		struct text what = { 0 }, why = { 0 };
		add_line(table, "gap", present_member(&what, one, "construct"), present_member(&why, one, "why"));
		text_release(&what);
		text_release(&why);
	}
}

static void render_run(struct text *text, const json_t *facts, bool colour)
{
	static const struct present_row of_run[] = {
		{ "statement", "statement" }, { "passed_over", "passed over" },
		{ "view", "view" }, { "session", "session" }, { "tree", "tree" }, { "directory", "directory" },
		{ "program", "program" }, { "new_namespaces", "own spaces" },
		{ "not_held", "not held" }, { "dropped", "dropped" },
	};
	static const struct present_row of_rules[] = {
		{ "network", "network" }, { "scope", "scope" }, { "hidden", "hidden" }, { "writable", "writable" },
		{ "layered", "layered" }, { "readable", "readable" }, { "executable", "executable" },
		{ "protected", "protected" }, { "sockets", "sockets" }, { "rewritten", "rewritten" },
		{ "memory", "memory" }, { "tasks", "tasks" }, { "processors_hundredths", "processors/100" },
		{ "require", "require" }, { "relax", "relax" },
	};
	static const struct present_row of_plan[] = {
		{ "mounts", "mounts" }, { "rules", "rules" }, { "filter", "filter" },
	};
	struct table table = { .columns = 2 };
	const json_t *refusal = json_object_get(facts, "refusal");
	present_rows(&table, facts, of_run, N_ELEMENTS(of_run));
	present_rows(&table, json_object_get(facts, "rules"), of_rules, N_ELEMENTS(of_rules));
	add_missing(&table, json_object_get(facts, "rules"));
	present_rows(&table, json_object_get(facts, "plan"), of_plan, N_ELEMENTS(of_plan));
	add_constructs(&table, json_object_get(json_object_get(facts, "plan"), "constructs"));
	add_gaps_shown(&table, facts);
	add_wrappers(&table, json_object_get(facts, "wrappers"));
	table_draw(&table, colour, text);
	table_release(&table);
	if (!json_is_object(refusal))
		return;
	text_add(text, "it would be refused:\n");
	present_error(text, refusal, colour);
}

/* The arm prepares for the tree itself: nothing is copied, and nothing is left. */
static int explain(struct pinfold_run *run, struct document *ret_facts, struct pinfold_error *err)
{
	struct pinfold_error refusal = { 0 };
	if (resolve_run(run, err) < 0 || resolve_rest(run, err) < 0 || resolve_arm(run, err) < 0 ||
	    view_imagine(run, err) < 0)
		return -1;
	run->explains = true;
	if (wrapping_decide(run, err) < 0)
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
	struct pinfold_command command = { 0 };
	struct pinfold_error why = { 0 };
	struct document facts = { 0 };
	if (command_read(given, &command, err) < 0)
		return -1;
	struct pinfold_run *run = run_new(pinfold, &command);
	if (!run)
		return fault_no_memory(err);
	run->explained = true;
	int result = explain(run, &facts, &why);
	pinfold_run_free(run);
	if (result == 0)
		return present(&facts, form, render_run, ret_document, err);
	if (err)
		*err = why;
	return -1;
}

/* face/report_run.c - a run, by its receipt: what ran, what was held and what not, what was done about wrappers, and how
 * long it took. */
#include "config.h"

#include "face/report.h"

#include "face/present.h"

#include <pinfold/arm.h>
#include <stdio.h>

/* What a kept promise means, and the noun for one that is not. */
static const struct {
	const char *name, *kept, *noun;
} axes[] = {
#define AXIS(NAME, name, kept, noun) { name, kept, noun },
	PINFOLD_AXES(AXIS)
#undef AXIS
};

static long long number(const json_t *object, const char *member)
{
	return (long long)json_integer_value(json_object_get(object, member));
}

enum paint report_outcome(struct text *text, const json_t *receipt)
{
	struct text room = { 0 };
	const json_t *ending = json_object_get(receipt, "ending"), *error = json_object_get(receipt, "error");
	const char *kind = json_string_value(json_object_get(ending, "kind"));
	bool well = false;
	if (json_is_object(error))
		text_addf(text, "refused: %s", present_member(&room, error, "code"));
	else if (kind && streq(kind, "signalled"))
		text_addf(text, "ended by %s", present_member(&room, ending, "signal_name"));
	else if (kind && streq(kind, "timed_out"))
		text_add(text, "ended by its time limit");
	else if (kind && streq(kind, "ended"))
		text_addf(text, "exit status %lld", number(ending, "code"));
	else
		text_add(text, "nobody knows how it ended");
	well = kind && streq(kind, "ended") && number(ending, "code") == 0;
	text_release(&room);
	return well ? PAINT_GOOD : PAINT_BAD;
}

static void row(struct page *page, const json_t *object, const char *member, const char *label)
{
	struct text room = { 0 };
	page_row(page, label, PAINT_PLAIN, present_member(&room, object, member));
	text_release(&room);
}

/* As a shell would take it for one word. */
static void add_word(struct text *line, const char *word)
{
	if (word[0] && !strpbrk(word, " \t\n\"'\\$`&|;<>()*?[]#~!{}")) {
		text_add(line, word);
		return;
	}
	text_add(line, "'");
	for (size_t length; *word; word += length + (word[length] == '\'')) {
		length = strcspn(word, "'");
		text_add_bytes(line, word, length);
		text_add(line, word[length] ? "'\\''" : "");
	}
	text_add(line, "'");
}

static void command_row(struct page *page, const json_t *receipt)
{
	struct text line = { 0 }, room = { 0 };
	size_t index;
	json_t *word;
	json_array_foreach(json_object_get(receipt, "argv"), index, word) {
		const char *text = json_is_string(word) ? json_string_value(word) : present_member(&room, word, "text");
		text_add(&line, index ? " " : "");
		add_word(&line, text);
	}
	page->text.failed = page->text.failed || line.failed;
	page_row(page, "command", PAINT_STRONG, line.data ? line.data : "");
	text_release(&line);
	text_release(&room);
}

static void add_what_ran(struct page *page, const json_t *receipt)
{
	struct text outcome = { 0 };
	enum paint paint = report_outcome(&outcome, receipt);
	page_section(page, "What ran");
	page_rows_begin(page);
	command_row(page, receipt);
	page_row(page, "outcome", paint, outcome.data);
	row(page, receipt, "started", "started");
	row(page, receipt, "tree", "tree");
	row(page, receipt, "directory", "directory");
	row(page, receipt, "session", "session");
	row(page, receipt, "placement", "placement");
	row(page, json_object_get(receipt, "view"), "name", "view");
	row(page, json_object_get(json_object_get(receipt, "view"), "work"), "skipped_names", "not copied");
	row(page, json_object_get(receipt, "ending"), "limit", "limit");
	page_rows_end(page);
	text_release(&outcome);
}

/* One promise; of an axis that this pinfold does not know, its name. */
static void add_promise(struct page *page, const char *name, const json_t *promise)
{
	struct text room = { 0 };
	bool kept = json_is_true(json_object_get(promise, "kept"));
	const char *meaning = "";
	for (size_t i = 0; i < N_ELEMENTS(axes); i++)
		if (streq(axes[i].name, name))
			meaning = kept ? axes[i].kept : axes[i].noun;
	struct text note = { 0 };
	const char *said = present_member(&room, promise, "note");
	text_addf(&note, "%s%s%s%s", kept ? "" : "not held: ", meaning, said[0] ? kept ? "; but " : ": " : "", said);
	page_item(page, kept ? PAINT_GOOD : PAINT_BAD, kept ? "held" : "open", name, note.data ? note.data : "");
	page->text.failed = page->text.failed || note.failed;
	text_release(&note);
	text_release(&room);
}

static void add_items(struct page *page, const json_t *list, enum paint paint, const char *mark)
{
	struct text name = { 0 }, why = { 0 };
	size_t index;
	json_t *item;
	json_array_foreach(list, index, item)
		page_item(page, paint, mark, json_is_string(item) ? json_string_value(item) :
			  present_member(&name, item, json_object_get(item, "text") ? "text" : "construct"),
			  present_member(&why, item, "why"));
	text_release(&name);
	text_release(&why);
}

static void add_what_was_held(struct page *page, const json_t *receipt)
{
	const json_t *arm = json_object_get(receipt, "arm"), *given = json_object_get(receipt, "relaxations");
	json_t *promise;
	const char *name;
	page_section(page, "What was held, and what was not");
	if (!json_is_object(arm)) {
		page_paragraph(page, PAINT_BAD, "Nothing: the command ran on the host, in the tree itself.");
		return;
	}
	page_rows_begin(page);
	row(page, arm, "name", "arm");
	page_rows_end(page);
	page_items_begin(page);
	json_object_foreach(json_object_get(arm, "promises"), name, promise)
		add_promise(page, name, promise);
	add_items(page, json_array_size(given) ? given : json_object_get(receipt, "relaxed"), PAINT_BAD, "given up");
	add_items(page, json_object_get(receipt, "passed_over"), PAINT_FAINT, "passed");
	page_items_end(page);
}

/* One of an arm that tells other members than those, by whatever it has. */
static void add_other_denial(struct page *page, const json_t *denial)
{
	struct text all = { 0 }, room = { 0 };
	const json_t *value;
	const char *key;
	json_object_foreach((json_t *)(uintptr_t)denial, key, value) {
		const char *said = present_member(&room, denial, key);
		if (json_is_integer(value))
			text_addf(&all, "%s%s %lld", all.length ? ", " : "", key, (long long)json_integer_value(value));
		else if (said[0])
			text_addf(&all, "%s%s %s", all.length ? ", " : "", key, said);
	}
	page_item(page, PAINT_BAD, "refused", json_is_string(denial) ? json_string_value(denial) : "",
		  all.data ? all.data : "");
	page->text.failed = page->text.failed || all.failed;
	text_release(&all);
	text_release(&room);
}

/* What was tried and at what; why that is refused, how often, and what would lift it. */
static void add_denial(struct page *page, const json_t *denial)
{
	struct text operation = { 0 }, target = { 0 }, why = { 0 }, lift = { 0 }, note = { 0 };
	const char *tried = present_member(&operation, denial, "operation"), *what = present_member(&target, denial, "target");
	if (tried[0] && what[0]) {
		long long count = number(denial, "count");
		text_add(&note, present_member(&why, denial, "why"));
		if (count > 1)
			text_addf(&note, " (%lld times)", count);
		const char *cure = present_member(&lift, denial, "lift");
		text_addf(&note, "%s%s", cure[0] ? "; " : "", cure);
		page_item(page, PAINT_BAD, tried, what, note.data ? note.data : "");
		page->text.failed = page->text.failed || note.failed;
	} else {
		add_other_denial(page, denial);
	}
	struct text *texts[] = { &operation, &target, &why, &lift, &note };
	for (size_t i = 0; i < N_ELEMENTS(texts); i++)
		text_release(texts[i]);
}

static void add_unheard(struct page *page, const json_t *unheard)
{
	struct text line = { 0 };
	const json_t *one;
	size_t index;
	json_array_foreach(unheard, index, one)
		text_addf(&line, "%s%s", index ? ", " : "Not heard here: ", json_string_value(json_object_get(one, "kind")) ?: "?");
	if (line.data)
		page_paragraph(page, PAINT_FAINT, line.data);
	text_release(&line);
}

static void add_denials(struct page *page, const json_t *receipt)
{
	const json_t *denials = json_object_get(receipt, "denials"), *denial;
	struct text room = { 0 };
	char line[64];
	size_t index;
	if (!json_is_array(denials))
		return;
	page_section(page, "What it was refused");
	if (json_array_size(denials) == 0)
		page_paragraph(page, PAINT_FAINT, "Nothing that was told.");
	page_items_begin(page);
	json_array_foreach(denials, index, denial)
		add_denial(page, denial);
	page_items_end(page);
	snprintf(line, sizeof(line), "and %lld more attempts", number(receipt, "denials_more"));
	if (number(receipt, "denials_more") > 0)
		page_paragraph(page, PAINT_FAINT, line);
	const char *missing = present_member(&room, receipt, "denials_missing");
	if (missing[0])
		page_paragraph(page, PAINT_FAINT, missing);
	text_release(&room);
	add_unheard(page, json_object_get(receipt, "denials_unheard"));
}

static void add_wrappers(struct page *page, const json_t *records)
{
	size_t index;
	json_t *record;
	if (json_array_size(records) == 0)
		return;
	page_section(page, "Compiler wrappers");
	page_items_begin(page);
	json_array_foreach(records, index, record) {
		const json_t *decision = json_object_get(record, "decision");
		struct text mark = { 0 }, name = { 0 }, note = { 0 };
		const char *answer = present_member(&mark, decision, "decision"), *wrapper = present_member(&name, decision, "wrapper");
		bool kept = streq(answer, "kept"), quiet = streq(answer, "not_configured");
		struct text both = { 0 }, toolchain = { 0 };
		text_addf(&both, "%s%s%s", present_member(&toolchain, decision, "toolchain"), wrapper[0] ? ": " : "", wrapper);
		page_item(page, kept ? PAINT_GOOD : quiet ? PAINT_FAINT : PAINT_BAD, quiet ? "none" : answer,
			  both.data ? both.data : "", present_member(&note, decision, "reason"));
		text_release(&mark);
		text_release(&name);
		text_release(&note);
		text_release(&both);
		text_release(&toolchain);
	}
	page_items_end(page);
}

static void add_process(struct page *page, const json_t *process)
{
	char line[64];
	if (!json_is_object(process))
		return;
	snprintf(line, sizeof(line), "%.2f s, and %.2f s in the system", (double)number(process, "user_us") / 1e6,
		 (double)number(process, "system_us") / 1e6);
	page_row(page, "processor", PAINT_PLAIN, line);
	snprintf(line, sizeof(line), "%.1f MiB at most", (double)number(process, "peak_bytes") / (1 << 20));
	page_row(page, "memory", PAINT_PLAIN, line);
	snprintf(line, sizeof(line), "%lld ended with the command", number(process, "survivors"));
	page_row(page, "processes", PAINT_PLAIN, number(process, "survivors") ? line : "");
	snprintf(line, sizeof(line), "%lld could not be ended", number(process, "left"));
	page_row(page, "left", PAINT_BAD, number(process, "left") ? line : "");
}

static void add_times(struct page *page, const json_t *receipt)
{
	static const struct {
		const char *member, *label;
	} steps[] = {
		{ "setup", "set up" }, { "wait", "waited" }, { "sync", "the view" }, { "start", "start" },
		{ "run", "the command" }, { "settle", "settle" }, { "total", "all of it" },
	};
	const json_t *durations = json_object_get(receipt, "durations_us");
	if (!json_is_object(durations))
		return;
	page_section(page, "Times");
	page_rows_begin(page);
	for (size_t i = 0; i < N_ELEMENTS(steps); i++)
		if (json_is_integer(json_object_get(durations, steps[i].member)))
			page_time(page, steps[i].label, (double)number(durations, steps[i].member) / 1e3,
				  (double)number(durations, "total") / 1e3);
	add_process(page, json_object_get(receipt, "process"));
	page_rows_end(page);
}

static void add_refusal(struct page *page, const json_t *error)
{
	page_section(page, "It never ran");
	page_rows_begin(page);
	row(page, error, "code", "code");
	row(page, error, "action", "cannot");
	row(page, error, "subject", "subject");
	row(page, error, "recovery", "try");
	page_rows_end(page);
}

void report_run(struct page *page, const json_t *receipt)
{
	const json_t *error = json_object_get(receipt, "error");
	if (json_is_object(error)) {
		add_refusal(page, error);
		return;
	}
	add_what_ran(page, receipt);
	add_what_was_held(page, receipt);
	add_denials(page, receipt);
	add_wrappers(page, json_object_get(receipt, "wrappers"));
	add_times(page, receipt);
}

/* face/wrappers.c - decisions about compiler wrappers: shown, measured anew, forgotten. */
#include "config.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "face/face.h"
#include "face/present.h"

#include <stdio.h>
#include <time.h>

static json_t *instant(int64_t seconds)
{
	char text[40];
	struct tm parts;
	time_t at = (time_t)seconds;
	if (seconds <= 0 || !gmtime_r(&at, &parts) ||
	    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
		return json_null();
	return document_text(text);
}

static struct document decision_facts(const struct decision *decision, const char *arm, const char *tree,
				      int64_t measured)
{
	struct document facts = document_object();
	document_put(&facts, "tree", document_text(tree));
	document_put(&facts, "directory", document_text(decision->directory));
	document_put(&facts, "toolchain", document_text(decision->toolchain));
	document_put(&facts, "arm", document_text(arm));
	document_put(&facts, "decision", document_text(decision_word(decision->kind)));
	document_put(&facts, "wrapper", document_text(decision->wrapper));
	document_put(&facts, "reason", document_text(decision->reason));
	document_put(&facts, "measured", instant(measured));
	return facts;
}

static void render(struct text *text, const json_t *facts, bool colour)
{
	static const struct present_row rows[] = {
		{ "wrapper", "wrapper" }, { "decision", "decision" }, { "reason", "reason" },
		{ "arm", "arm" }, { "directory", "directory" }, { "measured", "measured" },
	};
	const json_t *list = json_object_get(facts, "decisions"), *one;
	struct text room = { 0 };
	size_t index;
	json_array_foreach(list, index, one) {
		struct table table = { .columns = 2, .indent = "  " };
		text_add(text, index > 0 ? "\n" : "");
		paint_add(text, colour, PAINT_STRONG, present_member(&room, one, "toolchain"));
		text_add(text, "\n");
		present_rows(&table, one, rows, N_ELEMENTS(rows));
		table_draw(&table, colour, text);
		table_release(&table);
	}
	if (json_array_size(list) == 0)
		text_add(text, "no decision about a compiler wrapper is kept for this tree\n");
	text_release(&room);
}

/* A directory in a tree is as good as the tree. */
static bool is_wanted(const struct kept_decision *kept, const char *directory)
{
	return !directory || path_is_within(directory, kept->tree);
}

int pinfold_describe_wrappers(struct pinfold *pinfold, const char *directory, uint32_t flags,
			      uint32_t form, char **ret_document, struct pinfold_error *err)
{
	(void)pinfold;
	struct kept_decisions kept = { 0 };
	struct directory here = { .fd = -1 };
	bool all = flags & PINFOLD_WRAPPERS_ALL;
	if (!all && directory_open(directory, &here, err) < 0)
		return -1;
	int result = decisions_list(&kept, err);
	struct document facts = document_object(), list = document_list();
	for (size_t i = 0; i < kept.count; i++) {
		const struct kept_decision *one = &kept.items[i];
		if (!is_wanted(one, all ? NULL : here.path))
			continue;
		struct document item = decision_facts(&one->decision, one->arm, one->tree, one->measured);
		document_add_document(&list, &item);
	}
	decisions_list_release(&kept);
	directory_release(&here);
	document_put_document(&facts, "decisions", &list);
	if (result == 0)
		return present(&facts, form, render, ret_document, err);
	document_release(&facts);
	return -1;
}

int pinfold_forget_wrappers(struct pinfold *pinfold, const char *directory, uint32_t flags,
			    uint64_t *ret_count, struct pinfold_error *err)
{
	(void)pinfold;
	struct directory here = { .fd = -1 };
	bool all = flags & PINFOLD_WRAPPERS_ALL;
	size_t count = 0;
	if (!all && directory_open(directory, &here, err) < 0)
		return -1;
	int result = decisions_forget(all ? NULL : here.path, &count, err);
	directory_release(&here);
	if (result == 0 && ret_count)
		*ret_count = count;
	return result;
}

/* --- measuring without a command -------------------------------------------------------------------- */
/* What the last run left in the tree's copy stays: the view is one of a session that nobody has, which
 * goes again. */
static int decide(struct pinfold_run *run, struct document *ret_facts, struct pinfold_error *err)
{
	if (resolve_run(run, err) < 0 || resolve_arm(run, err) < 0 || resolve_rest(run, err) < 0 ||
	    view_open(run, err) < 0 || wrapping_decide(run, err) < 0)
		return -1;
	struct document facts = document_object(), list = document_list();
	for (size_t i = 0; i < run->wrappings.count; i++) {
		struct document item = decision_facts(&run->wrappings.items[i].decision,
						      run->choice.offer->name, run->directory.path,
						      (int64_t)time(NULL));
		document_add_document(&list, &item);
	}
	document_put_document(&facts, "decisions", &list);
	*ret_facts = facts;
	return 0;
}

static void drop_session(struct pinfold *pinfold, const char *directory, const char *session)
{
	struct pinfold_review review = { .size = sizeof(review), .directory = directory, .session = session };
	pinfold_discard(pinfold, &review, NULL);
}

int pinfold_measure_wrappers(struct pinfold *pinfold, const struct pinfold_command *given, uint32_t form,
			     char **ret_document, struct pinfold_error *err)
{
	/* Something that can compile, and that every machine has. */
	static const char *const anything[] = { "/bin/sh", NULL };
	char session[64];
	struct pinfold_command command = { 0 }, asked = { .size = sizeof(asked) };
	struct pinfold_error why = { 0 };
	struct document facts = { 0 };
	memcpy(&asked, given, given->size < sizeof(asked) ? given->size : sizeof(asked));
	asked.size = sizeof(asked);
	asked.argv = anything;
	if (command_read(&asked, &command, err) < 0)
		return -1;
	if (command.where == PINFOLD_WHERE_HOST)
		return fault(err, PINFOLD_E_USAGE, 0, "try compiler wrappers", "the placement host",
			     "leave it out: on the host nothing is confined, and nothing is switched off");
	snprintf(session, sizeof(session), "wrappers-%d-%lld", (int)getpid(), (long long)time(NULL));
	const struct list *views = config_list(pinfold->config, "pinfold", "view");
	bool direct = views->count > 0 && streq(views->items[0], "direct");
	bool own = !command.session && !direct;
	if (own)
		command.session = session;
	struct pinfold_run *run = run_new(pinfold, &command);
	if (!run)
		return fault_no_memory(err);
	run->measures = true;
	int result = decide(run, &facts, &why);
	pinfold_run_free(run);
	if (own)
		drop_session(pinfold, command.directory, session);
	if (result == 0)
		return present(&facts, form, render, ret_document, err);
	if (err)
		*err = why;
	return -1;
}

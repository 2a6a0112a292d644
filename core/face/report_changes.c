/* face/report_changes.c - what was changed: the names, what a person should look at, and the patch. */
#include "config.h"

#include "face/report.h"

#include "base/cleanup.h"
#include "face/present.h"

#include <stdio.h>
#include <stdlib.h>

enum { NAMES_MOST = 1000 };

/* What is to be known before it is applied. */
static void add_change(struct page *page, const json_t *change)
{
	static const struct {
		const char *kind, *mark;
	} marks[] = {
		{ "added", "added" }, { "removed", "removed" }, { "modified", "changed" }, { "retyped", "retyped" },
		{ "renamed", "renamed" },
	};
	struct text path = { 0 }, place = { 0 }, from = { 0 }, conflict = { 0 }, risk = { 0 }, name = { 0 }, note = { 0 };
	const char *kind = json_string_value(json_object_get(change, "kind")), *mark = "changed";
	for (size_t i = 0; kind && i < N_ELEMENTS(marks); i++)
		mark = streq(kind, marks[i].kind) ? marks[i].mark : mark;
	const char *outside = present_member(&place, change, "place"), *old = present_member(&from, change, "from");
	text_addf(&name, "%s%s%s", outside, outside[0] ? "/" : "", present_member(&path, change, "path"));
	const char *trouble = present_member(&conflict, change, "conflict"), *danger = present_member(&risk, change, "risk");
	text_addf(&note, "%s%s%s%s%s%s%s", old[0] ? "from " : "", old, danger[0] ? " risky: " : "", danger,
		  trouble[0] ? " in conflict: " : "", trouble, json_is_true(json_object_get(change, "binary")) ? " binary" : "");
	bool calm = !trouble[0] && !danger[0];
	page_item(page, !calm ? PAINT_BAD : streq(mark, "added") ? PAINT_GOOD : PAINT_PLAIN, mark,
		  name.data ? name.data : "", note.data ? note.data + strspn(note.data, " ") : "");
	page->text.failed = page->text.failed || name.failed || note.failed;
	struct text *texts[] = { &path, &place, &from, &conflict, &risk, &name, &note };
	for (size_t i = 0; i < N_ELEMENTS(texts); i++)
		text_release(texts[i]);
}

static void add_names(struct page *page, const json_t *changes)
{
	const json_t *list = json_object_get(json_object_get(changes, "list"), "changes");
	size_t index;
	json_t *change;
	char line[96];
	page_items_begin(page);
	json_array_foreach(list, index, change)
		if (index < NAMES_MOST)
			add_change(page, change);
	page_items_end(page);
	if (json_array_size(list) <= NAMES_MOST && !json_is_true(json_object_get(changes, "list_cut")))
		return;
	snprintf(line, sizeof(line), "%lld changes are too many to name here; pinfold diff --summary shows them.",
		 (long long)json_integer_value(json_object_get(changes, "count")));
	page_paragraph(page, PAINT_FAINT, line);
}

static enum paint paint_of(const char *line, bool in_hunk)
{
	if (line[0] == '@')
		return PAINT_PLACE;
	if (line[0] == '#')
		return PAINT_BAD;
	if (!in_hunk)
		return PAINT_FAINT;
	return line[0] == '+' ? PAINT_GOOD : line[0] == '-' ? PAINT_BAD : PAINT_PLAIN;
}

/* "diff --git a/x b/x": the name without its side, as git wrote it. */
static void begin_file(struct page *page, const char *line, size_t length)
{
	static const char start[] = "diff --git ";
	size_t from = starts_with(line, start) ? sizeof(start) - 1 : 0;
	const char *half = from ? memchr(line + from + (length - from) / 2, ' ', length - from - (length - from) / 2) : NULL;
	const char *name = half ? half + 1 : line + from;
	if (half && (starts_with(name, "b/") || starts_with(name, "\"b/")))
		name += 2 + (name[0] == '"');
	auto_free char *copy = strndup(name, (size_t)(line + length - name));
	page->text.failed = page->text.failed || !copy;
	if (copy && half && half[1] == '"' && copy[0] && copy[strlen(copy) - 1] == '"')
		copy[strlen(copy) - 1] = '\0';
	page_file_begin(page, copy ? copy : "");
}

/* Notes that stand before a file's first line belong to it. */
static void add_patch(struct page *page, const char *patch)
{
	bool open = false, in_hunk = false;
	for (const char *line = patch; *line;) {
		size_t length = strcspn(line, "\n");
		bool file = starts_with(line, "diff --git ");
		if (file || !open) {
			if (open)
				page_file_end(page);
			if (file)
				begin_file(page, line, length);
			else
				page_file_begin(page, "notes");
			open = true;
			in_hunk = false;
		}
		in_hunk = in_hunk || line[0] == '@';
		if (!file || !page->html)
			page_line(page, paint_of(line, in_hunk), line, length);
		line += length + (line[length] == '\n');
	}
	if (open)
		page_file_end(page);
}

void report_changes(struct page *page, const json_t *changes)
{
	const json_t *error = json_object_get(changes, "error");
	const char *patch = json_string_value(json_object_get(changes, "patch"));
	struct text room = { 0 };
	page_section(page, "What was changed");
	if (!patch) {
		page_paragraph(page, PAINT_FAINT, json_is_object(error) ? "Nothing is kept of it any more:" : "Nothing is known of it.");
		page_rows_begin(page);
		page_row(page, "cannot", PAINT_FAINT, present_member(&room, error, "action"));
		page_row(page, "subject", PAINT_FAINT, present_member(&room, error, "subject"));
		page_rows_end(page);
	} else if (json_integer_value(json_object_get(changes, "count")) == 0) {
		page_paragraph(page, PAINT_FAINT, "Nothing.");
	} else {
		page_paragraph(page, PAINT_FAINT, "As it is kept now; nothing of it is in the tree until it is applied.");
		add_names(page, changes);
		add_patch(page, patch);
	}
	if (json_is_true(json_object_get(changes, "patch_cut")))
		page_paragraph(page, PAINT_BAD, "The patch is longer than a page can be: pinfold diff shows all of it.");
	text_release(&room);
}

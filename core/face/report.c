/* face/report.c - a report of runs and of what they changed. */
#include "config.h"

#include "face/report.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "face/changes.h"
#include "face/face.h"
#include "face/present.h"

#include <stdlib.h>

enum { TITLE_MOST = 72 };

static const char action[] = "make a report";

/* Nothing in a receipt is believed: it is shown. */
static json_t *read_receipt(const char *text, struct pinfold_error *err)
{
	json_t *receipt = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	const char *kind = json_string_value(json_object_get(receipt, "kind"));
	if (kind && (streq(kind, "run") || streq(kind, "refusal")))
		return receipt;
	json_decref(receipt);
	fault(err, PINFOLD_E_USAGE, 0, action, "the receipt is none",
	      "give the file that `pinfold run --receipt FILE` wrote");
	return NULL;
}

static int add_receipts(struct document *facts, const struct pinfold_report_order *order, struct pinfold_error *err)
{
	struct document list = document_list();
	for (size_t i = 0; order->receipts && order->receipts[i]; i++) {
		json_t *receipt = read_receipt(order->receipts[i], err);
		if (!receipt) {
			document_release(&list);
			return -1;
		}
		document_add(&list, receipt);
	}
	document_put_document(facts, "runs", &list);
	return 0;
}

static void put_changes(struct document *changes, struct changes_texts *texts)
{
	json_t *list = texts->list_cut || !texts->list.data ? NULL : json_loads(texts->list.data, 0, NULL);
	document_put(changes, "count", document_number(texts->count));
	document_put(changes, "list", list ? list : json_null());
	document_put(changes, "list_cut", document_flag(!list));
	document_put(changes, "patch", document_text(texts->patch.data ? texts->patch.data : ""));
	document_put(changes, "patch_cut", document_flag(texts->patch_cut));
	document_put(changes, "error", json_null());
}

/* Of the last receipt's tree; a path or a name that is no text is not asked for. */
static bool find_review(const json_t *runs, struct pinfold_review *ret_review)
{
	const json_t *last = json_array_get(runs, json_array_size(runs) - 1);
	const char *tree = json_string_value(json_object_get(last, "tree"));
	const json_t *session = json_object_get(last, "session");
	if (!tree || tree[0] != '/' || (session && !json_is_null(session) && !json_is_string(session)))
		return false;
	*ret_review = (struct pinfold_review){ .size = sizeof(*ret_review), .directory = tree,
					       .session = json_string_value(session) };
	return true;
}

/* That nothing is kept any more is a fault only where there is nothing else to report. */
static int add_changes(struct pinfold *pinfold, struct document *facts, const struct pinfold_report_order *order,
		       struct pinfold_error *err)
{
	struct document changes = document_object();
	struct changes_texts texts = { 0 };
	struct pinfold_review found;
	struct pinfold_error why = { 0 };
	const json_t *runs = json_object_get(facts->root, "runs");
	const struct pinfold_review *review = order->review;
	if (!review && json_array_size(runs) > 0)
		review = find_review(runs, &found) ? &found : NULL;
	if (review && changes_read(pinfold, review, &texts, &why) == 0)
		put_changes(&changes, &texts);
	else if (!review)
		document_put(&changes, "error", json_null());
	else
		document_put(&changes, "error", document_error(&why));
	changes_texts_release(&texts);
	document_put_document(facts, "changes", &changes);
	if (why.code && json_array_size(runs) == 0) {
		if (err)
			*err = why;
		return -1;
	}
	return 0;
}

/* At a blank, where there is one: the command is shown whole below. */
static void shorten(struct text *title)
{
	if (title->failed || title->length <= TITLE_MOST)
		return;
	size_t length = TITLE_MOST;
	while (length > TITLE_MOST / 2 && title->data[length] != ' ')
		length--;
	while (length > 0 && (title->data[length] & 0xc0) == 0x80)	/* no half of a character */
		length--;
	title->length = length;
	title->data[length] = '\0';
	text_add(title, " \xe2\x80\xa6");
}

static void add_title(struct text *title, const json_t *facts)
{
	const json_t *runs = json_object_get(facts, "runs"), *last = json_array_get(runs, json_array_size(runs) - 1);
	const json_t *list = json_object_get(json_object_get(facts, "changes"), "list");
	struct text room = { 0 };
	const char *command = present_member(&room, last, "argv");
	const char *session = json_string_value(json_object_get(list, "session"));
	if (json_array_size(runs) == 1 && command[0]) {
		json_t *word;
		size_t i;
		json_array_foreach(json_object_get(last, "argv"), i, word)
			text_addf(title, "%s%s", i ? " " : "", json_is_string(word) ? json_string_value(word) :
				  present_member(&room, word, "text"));
		shorten(title);
	} else if (session) {
		text_addf(title, "session %s", session);
	} else {
		text_add(title, json_array_size(runs) ? "a run that was refused" : "what the last run changed");
	}
	text_release(&room);
}

static void render(struct page *page, const json_t *facts)
{
	const json_t *runs = json_object_get(facts, "runs");
	struct text title = { 0 }, outcome = { 0 };
	enum paint paint = PAINT_PLAIN;
	size_t index;
	json_t *run;
	add_title(&title, facts);
	if (json_array_size(runs) == 1)
		paint = report_outcome(&outcome, json_array_get(runs, 0));
	else if (json_array_size(runs) > 1)
		text_addf(&outcome, "%zu runs", json_array_size(runs));
	else
		text_addf(&outcome, "%lld changes",
			  (long long)json_integer_value(json_object_get(json_object_get(facts, "changes"), "count")));
	page->text.failed = page->text.failed || title.failed || outcome.failed;
	page_begin(page, title.data ? title.data : "", paint, outcome.data ? outcome.data : "");
	json_array_foreach(runs, index, run)
		report_run(page, run);
	report_changes(page, json_object_get(facts, "changes"));
	page_end(page);
	text_release(&title);
	text_release(&outcome);
}

static int write_report(struct document *facts, uint32_t flags, uint32_t form, char **ret_document,
			struct pinfold_error *err)
{
	if ((form == PINFOLD_FORM_JSON && !(flags & PINFOLD_REPORT_PAGE)) || facts->failed)
		return document_write(facts, ret_document, err);
	struct page page = { .html = flags & PINFOLD_REPORT_PAGE, .colour = form == PINFOLD_FORM_COLOUR };
	render(&page, facts->root);
	document_release(facts);
	char *document = text_take(&page.text);
	if (!document)
		return fault_no_memory(err);
	*ret_document = document;
	return 0;
}

int pinfold_describe_report(struct pinfold *pinfold, const struct pinfold_report_order *given, uint32_t form,
			    char **ret_document, struct pinfold_error *err)
{
	struct pinfold_report_order order = { 0 };
	if (!given || given->size < offsetof(struct pinfold_report_order, review) + sizeof(given->review))
		return fault(err, PINFOLD_E_USAGE, 0, action, "the structure of the order has no size",
			     "set `size` to sizeof(struct pinfold_report_order)");
	memcpy(&order, given, given->size < sizeof(order) ? given->size : sizeof(order));
	struct document facts = document_object();
	if (add_receipts(&facts, &order, err) < 0 || add_changes(pinfold, &facts, &order, err) < 0) {
		document_release(&facts);
		return -1;
	}
	return write_report(&facts, order.flags, form, ret_document, err);
}

int pinfold_is_report_page(const char *text)
{
	return text && starts_with(text, PAGE_MARK);
}

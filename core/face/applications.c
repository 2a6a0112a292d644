/* face/applications.c - what a receipt says of compiler wrappers, read back. */
#include "config.h"

#include "base/fault.h"
#include "base/text.h"
#include "face/present.h"
#include "report/application.h"

#include <pinfold/pinfold.h>

static struct document record_facts(const json_t *record, uint64_t *unreadable)
{
	struct application application;
	struct pinfold_error why = { 0 };
	struct document facts = document_object();
	bool readable = application_read(record, &application, &why) == 0;
	document_put(&facts, "readable", document_flag(readable));
	document_put(&facts, "error", document_error(readable ? NULL : &why));
	if (readable) {
		struct document content = application_write(&application);
		document_put_document(&facts, "record", &content);
	}
	*unreadable += !readable;
	return facts;
}

static void render(struct text *text, const json_t *facts, bool colour)
{
	static const struct present_row of_record[] = { { "program", "program" }, { "arm", "arm" } };
	static const struct present_row of_decision[] = {
		{ "toolchain", "toolchain" }, { "wrapper", "wrapper" }, { "decision", "decision" },
		{ "reason", "reason" }, { "directory", "directory" },
	};
	const json_t *list = json_object_get(facts, "records"), *one;
	size_t index;
	json_array_foreach(list, index, one) {
		struct table table = { .columns = 2, .indent = "  " };
		const json_t *record = json_object_get(one, "record");
		text_add(text, record ? "a record\n" : "a record that cannot be read\n");
		if (!record)
			present_error(text, json_object_get(one, "error"), colour);
		present_rows(&table, record, of_record, N_ELEMENTS(of_record));
		present_rows(&table, json_object_get(record, "decision"), of_decision,
			     N_ELEMENTS(of_decision));
		table_draw(&table, colour, text);
		table_release(&table);
	}
	if (json_array_size(list) == 0)
		text_add(text, "the command was not one that could compile\n");
}

/* --- where records lie ---------------------------------------------------------------------------- */
struct found {
	struct document list;
	uint64_t unreadable;
};

static void add_record(struct found *found, const json_t *record)
{
	struct document one = record_facts(record, &found->unreadable);
	document_add_document(&found->list, &one);
}

/* In a receipt: false where there are none. */
static bool find_in_receipt(const json_t *root, struct found *found)
{
	const json_t *records = json_object_get(root, "wrappers"), *record;
	size_t index;
	if (!json_is_array(records))
		return false;
	json_array_foreach(records, index, record)
		add_record(found, record);
	return true;
}

/* A line that is no event is a record that cannot be read: nobody knows what it was. */
static bool find_in_line(const char *line, size_t bytes, struct found *found)
{
	json_t *event = json_loadb(line, bytes, JSON_REJECT_DUPLICATES, NULL);
	const char *name = json_string_value(json_object_get(event, "event"));
	if (!name || streq(name, "application"))
		add_record(found, event);
	json_decref(event);
	return name;
}

/* In a file of events: false where there is not one. */
static bool find_in_events(const char *text, struct found *found)
{
	bool any = false;
	for (size_t bytes; *text; text += bytes + (text[bytes] == '\n')) {
		bytes = strcspn(text, "\n");
		if (bytes > 0 && find_in_line(text, bytes, found))
			any = true;
	}
	return any;
}

int pinfold_describe_applications(const char *receipt, uint32_t form, char **ret_document,
				  uint64_t *ret_unreadable, struct pinfold_error *err)
{
	json_t *root = json_loads(receipt, JSON_REJECT_DUPLICATES, NULL);
	struct found found = { .list = document_list() };
	bool any = find_in_receipt(root, &found) || find_in_events(receipt, &found);
	json_decref(root);
	if (!any) {
		document_release(&found.list);
		return fault(err, PINFOLD_E_USAGE, 0, "read a receipt", "it says nothing of wrappers",
			     "give the receipt of a run as --receipt writes it, or its --events");
	}
	struct document facts = document_object();
	document_put_document(&facts, "records", &found.list);
	document_put(&facts, "unreadable", document_number(found.unreadable));
	if (ret_unreadable)
		*ret_unreadable = found.unreadable;
	return present(&facts, form, render, ret_document, err);
}

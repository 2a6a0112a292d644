/* face/applications.c - what a receipt says of compiler wrappers, read back. */
#include "config.h"

#include "base/fault.h"
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

int pinfold_describe_applications(const char *receipt, uint32_t form, char **ret_document,
				  uint64_t *ret_unreadable, struct pinfold_error *err)
{
	json_t *root = json_loads(receipt, JSON_REJECT_DUPLICATES, NULL), *record;
	const json_t *records = json_object_get(root, "wrappers");
	uint64_t unreadable = 0;
	size_t index;
	if (!json_is_array(records)) {
		json_decref(root);
		return fault(err, PINFOLD_E_USAGE, 0, "read a receipt", "it says nothing of wrappers",
			     "give the receipt of a run, as --receipt writes it");
	}
	struct document facts = document_object(), list = document_list();
	json_array_foreach(records, index, record) {
		struct document one = record_facts(record, &unreadable);
		document_add_document(&list, &one);
	}
	json_decref(root);
	document_put_document(&facts, "records", &list);
	document_put(&facts, "unreadable", document_number(unreadable));
	if (ret_unreadable)
		*ret_unreadable = unreadable;
	return present(&facts, form, render, ret_document, err);
}

/* face/document.c - facts as JSON, from which every other form of a document is made. */
#include "config.h"

#include "face/document.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "policy/policy.h"

json_t *document_text(const char *text)
{
	if (!text)
		return json_null();
	json_t *string = json_string(text);
	if (string)
		return string;
	struct text quoted = { 0 };
	text_add_quoted(&quoted, text);
	auto_free char *plain = text_take(&quoted);
	return plain ? json_string(plain) : NULL;
}

json_t *document_strings(const char *const *strings)
{
	json_t *array = json_array();
	for (; array && strings && *strings; strings++)
		if (json_array_append_new(array, document_text(*strings)) < 0) {
			json_decref(array);
			return NULL;
		}
	return array;
}

json_t *document_list(const struct list *list)
{
	return document_strings((const char *const *)list->items);
}

json_t *document_axes(uint64_t bits)
{
	json_t *array = json_array();
	for (unsigned axis = 0; array && axis < PINFOLD_AXIS_COUNT; axis++)
		if ((bits & UINT64_C(1) << axis) &&
		    json_array_append_new(array, json_string(policy_axis_name(axis))) < 0) {
			json_decref(array);
			return NULL;
		}
	return array;
}

json_t *document_error(const struct pinfold_error *err)
{
	return json_pack("{s:s, s:i, s:o, s:o, s:o, s:i}", "code", fault_code_name(err->code),
			 "errno", (int)err->sys, "action", document_text(err->action), "subject",
			 document_text(err->subject), "recovery", document_text(err->recovery),
			 "exit_code", pinfold_exit_code(err));
}

int document_write(json_t *facts, uint32_t form,
		   void (*render)(struct text *text, const json_t *facts, bool colour),
		   char **ret_document, struct pinfold_error *err)
{
	struct text text = { 0 };
	char *dumped = NULL;
	if (facts && form == PINFOLD_FORM_JSON) {
		dumped = json_dumps(facts, JSON_INDENT(2));
		text_add(&text, dumped ? dumped : "");
		text_add(&text, "\n");
		text.failed = text.failed || !dumped;
	} else if (facts) {
		render(&text, facts, form == PINFOLD_FORM_COLOUR);
	}
	free(dumped);
	json_decref(facts);
	char *document = facts ? text_take(&text) : NULL;
	if (!document)
		return fault_no_memory(err);
	*ret_document = document;
	return 0;
}

void document_add_quoted(struct text *text, const json_t *object, const char *member)
{
	const char *value = json_string_value(json_object_get(object, member));
	text_add_quoted(text, value ? value : "");
}

void document_add_list(struct text *text, const json_t *list)
{
	size_t index;
	json_t *item;
	json_array_foreach((json_t *)(uintptr_t)list, index, item) {
		text_add(text, index ? ", " : "");
		text_add_quoted(text, json_string_value(item) ? json_string_value(item) : "");
	}
	if (json_array_size(list) == 0)
		text_add(text, "-");
}

void document_add_colour(struct text *text, bool colour, const char *which)
{
	static const struct {
		const char *name, *sequence;
	} colours[] = {
		{ "strong", "\033[1m" }, { "good", "\033[32m" }, { "bad", "\033[31m" }, { "", "\033[0m" },
	};
	for (size_t i = 0; colour && i < N_ELEMENTS(colours); i++)
		if (streq(colours[i].name, which))
			text_add(text, colours[i].sequence);
}

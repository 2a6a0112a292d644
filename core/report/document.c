/* report/document.c - facts as JSON. */
#include "report/document.h"

#include "base/fault.h"
#include "base/text.h"

#include <stdlib.h>

struct document document_object(void)
{
	return (struct document){ .root = json_object() };
}

struct document document_list(void)
{
	return (struct document){ .root = json_array() };
}

void document_put(struct document *object, const char *key, json_t *value)
{
	if (!object->root)
		json_decref(value);
	if (!object->root || json_object_set_new(object->root, key, value) < 0)
		object->failed = true;
}

void document_add(struct document *list, json_t *value)
{
	if (!list->root)
		json_decref(value);
	if (!list->root || json_array_append_new(list->root, value) < 0)
		list->failed = true;
}

static json_t *take_root(struct document *document)
{
	json_t *root = document->root;
	if (document->failed) {
		json_decref(root);
		root = NULL;
	}
	*document = (struct document){ 0 };
	return root;
}

void document_put_document(struct document *object, const char *key, struct document *value)
{
	document_put(object, key, take_root(value));
}

void document_add_document(struct document *list, struct document *value)
{
	document_add(list, take_root(value));
}

static json_t *bytes_as_object(const char *bytes)
{
	struct document object = document_object();
	struct text shown = { 0 }, hex = { 0 };
	text_add_quoted(&shown, bytes);
	for (const char *at = bytes; *at; at++)
		text_addf(&hex, "%02x", (unsigned char)*at);
	char *shown_text = text_take(&shown), *hex_text = text_take(&hex);
	document_put(&object, "text", shown_text ? json_string(shown_text) : NULL);
	document_put(&object, "hex", hex_text ? json_string(hex_text) : NULL);
	free(shown_text);
	free(hex_text);
	return take_root(&object);
}

json_t *document_text(const char *bytes)
{
	if (!bytes)
		return json_null();
	json_t *string = json_string(bytes);	/* NULL where it is not UTF-8 */
	return string ? string : bytes_as_object(bytes);
}

json_t *document_number(uint64_t number)
{
	return json_integer(number > INT64_MAX ? INT64_MAX : (json_int_t)number);
}

json_t *document_flag(bool flag)
{
	return json_boolean(flag);
}

json_t *document_texts(const char *const *texts)
{
	struct document list = document_list();
	for (; texts && *texts; texts++)
		document_add(&list, document_text(*texts));
	return take_root(&list);
}

json_t *document_error(const struct pinfold_error *err)
{
	if (!err || err->code == PINFOLD_E_NONE)
		return json_null();
	struct document object = document_object();
	document_put(&object, "code", document_text(fault_code_name(err->code)));
	document_put(&object, "action", document_text(err->action));
	document_put(&object, "subject", document_text(err->subject));
	document_put(&object, "recovery", document_text(err->recovery));
	document_put(&object, "errno", json_integer(err->sys));
	return take_root(&object);
}

/* jansson escapes every control character but the last: it stands in strings only. */
static char *with_escaped_deletes(const char *dump, const char *end)
{
	struct text text = { 0 };
	for (const char *at = dump; *at;) {
		size_t length = strcspn(at, "\x7f");
		text_add_bytes(&text, at, length);
		at += length;
		if (*at) {
			text_add(&text, "\\u007f");
			at++;
		}
	}
	text_add(&text, end);
	return text_take(&text);
}

static int dump_document(struct document *document, size_t flags, const char *end, char **ret_text,
			 struct pinfold_error *err)
{
	json_t *root = take_root(document);
	char *dump = root ? json_dumps(root, flags | JSON_ENSURE_ASCII) : NULL;
	json_decref(root);
	char *whole = dump ? with_escaped_deletes(dump, end) : NULL;
	free(dump);
	if (!whole)
		return fault_no_memory(err);
	*ret_text = whole;
	return 0;
}

int document_write(struct document *document, char **ret_text, struct pinfold_error *err)
{
	return dump_document(document, JSON_INDENT(2), "\n", ret_text, err);
}

int document_write_line(struct document *document, char **ret_text, struct pinfold_error *err)
{
	return dump_document(document, JSON_ENCODE_ANY, "", ret_text, err);
}

void document_release(struct document *document)
{
	json_decref(document->root);
	*document = (struct document){ 0 };
}

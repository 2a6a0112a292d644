/* face/present.c - one set of facts as JSON, or as a person reads it. */
#include "config.h"

#include "face/present.h"

#include "base/cleanup.h"
#include "base/fault.h"

#include <pinfold/pinfold.h>

enum { LINE_MOST = 88 };	/* bytes of a line beside a label, where there are blanks to part it at */

int present(struct document *facts, uint32_t form,
	    void (*render)(struct text *text, const json_t *facts, bool colour),
	    char **ret_document, struct pinfold_error *err)
{
	if (form == PINFOLD_FORM_JSON || facts->failed || !facts->root)
		return document_write(facts, ret_document, err);
	struct text text = { 0 };
	render(&text, facts->root, form == PINFOLD_FORM_COLOUR);
	document_release(facts);
	char *document = text_take(&text);
	if (!document)
		return fault_no_memory(err);
	*ret_document = document;
	return 0;
}

/* Bytes that no JSON string can hold are an object, with a text to show. */
static const char *shown(const json_t *value)
{
	if (json_is_object(value))
		value = json_object_get(value, "text");
	const char *string = json_string_value(value);
	return string ? string : "";
}

const char *present_member(struct text *room, const json_t *object, const char *member)
{
	const json_t *value = json_object_get(object, member);
	text_release(room);
	if (!json_is_array(value))
		text_add(room, shown(value));
	for (size_t i = 0; json_is_array(value) && i < json_array_size(value); i++) {
		text_add(room, i > 0 ? ", " : "");
		text_add(room, shown(json_array_get(value, i)));
	}
	return room->data ? room->data : "";
}

/* The cell beside a label, in as many lines as it takes; the label's column is empty in further ones. */
static void add_lines(struct table *table, const char *value)
{
	while (strlen(value) > LINE_MOST) {
		size_t length = LINE_MOST;
		while (length > 0 && value[length] != ' ')
			length--;
		if (length == 0)
			length = strcspn(value, " ");
		auto_free char *line = strndup(value, length);
		table->failed = table->failed || !line;
		table_add(table, PAINT_PLAIN, line);
		value += length + strspn(value + length, " ");
		if (!*value)
			return;
		table_add(table, PAINT_PLAIN, "");
	}
	table_add(table, PAINT_PLAIN, value);
}

void present_row(struct table *table, const char *label, const char *value)
{
	if (!value[0])
		return;
	table_add(table, PAINT_STRONG, label);
	add_lines(table, value);
}

void present_rows(struct table *table, const json_t *object, const struct present_row *rows,
		  size_t count)
{
	struct text room = { 0 };
	for (size_t i = 0; i < count; i++)
		present_row(table, rows[i].label, present_member(&room, object, rows[i].member));
	text_release(&room);
}

void present_error(struct text *text, const json_t *error, bool colour)
{
	static const struct present_row rows[] = { { "subject", "subject:" },
						   { "recovery", "try:" } };
	struct table table = { .columns = 2, .indent = "    " };
	struct text room = { 0 };
	text_add(text, "  ");
	paint_add(text, colour, PAINT_BAD, present_member(&room, error, "code"));
	text_add(text, ": cannot ");
	text_add_quoted(text, present_member(&room, error, "action"));
	text_add(text, "\n");
	present_rows(&table, error, rows, N_ELEMENTS(rows));
	table_draw(&table, colour, text);
	table_release(&table);
	text_release(&room);
}

/* face/describe.c - the configuration as a document. */
#include "config.h"

#include "face/face.h"
#include "face/present.h"

#include <stdio.h>

static int add_presets(struct document *facts, const struct config *config, struct pinfold_error *err)
{
	auto_list struct list names = { 0 };
	if (config_presets(config, &names, err) < 0)
		return -1;
	document_put(facts, "presets", document_texts((const char *const *)names.items));
	return 0;
}

static struct document config_facts(const struct config *config)
{
	struct document facts = document_object(), values = document_list();
	for (size_t i = 0; i < config_entry_count(config); i++) {
		struct config_entry entry = config_entry_at(config, i);
		struct document value = document_object();
		document_put(&value, "section", document_text(entry.section));
		document_put(&value, "key", document_text(entry.key));
		document_put(&value, "value", document_text(entry.value));
		document_put(&value, "file", document_text(entry.file));
		document_put(&value, "line", document_number(entry.line));
		document_put(&value, "final", document_flag(entry.final));
		document_put(&value, "help", document_text(entry.help));
		document_add_document(&values, &value);
	}
	document_put_document(&facts, "values", &values);
	return facts;
}

enum { VALUE_MOST = 60 };	/* columns of a list, about */

/* "# FILE:LINE", "# built in". */
static void add_origin(struct text *text, const json_t *value)
{
	struct text room = { 0 };
	const char *file = present_member(&room, value, "file");
	long line = (long)json_integer_value(json_object_get(value, "line"));
	text_addf(text, "# %s", file[0] ? file : "built in");
	if (file[0] && line > 0)
		text_addf(text, ":%ld", line);
	if (json_is_true(json_object_get(value, "final")))
		text_add(text, ", final");
	text_release(&room);
}

/* "= VALUE". A list that is too long for a line ends with how many items it has: true where it does. */
static bool add_value(struct text *text, const char *value)
{
	size_t kept = 0, items = 1, length = strlen(value);
	for (size_t i = 1; i + 1 < length; i++)
		if (value[i] == ',' && value[i + 1] == ' ') {
			items++;
			kept = kept == 0 || i <= VALUE_MOST ? i : kept;
		}
	bool cut = length > VALUE_MOST && kept > 0;
	text_add(text, value[0] ? "= " : "=");
	text_add_bytes(text, value, cut ? kept : length);
	if (cut)
		text_addf(text, ", \xe2\x80\xa6 (%zu in all)", items);
	return cut;
}

static bool add_row(struct table *table, const json_t *value)
{
	struct text room = { 0 }, cell = { 0 };
	table_add(table, PAINT_PLAIN, present_member(&room, value, "key"));
	bool cut = add_value(&cell, present_member(&room, value, "value"));
	table_add(table, PAINT_PLAIN, cell.data);
	text_release(&cell);
	add_origin(&cell, value);
	table_add(table, PAINT_FAINT, cell.data);
	table->failed = table->failed || cell.failed;
	text_release(&cell);
	text_release(&room);
	return cut;
}

static void draw_section(struct table *table, bool colour, struct text *text)
{
	table_draw(table, colour, text);
	table_release(table);
}

static void render_config(struct text *text, const json_t *facts, bool colour)
{
	struct text section = { 0 }, last = { 0 };
	struct table table = { .columns = 3 };
	bool cut = false;
	size_t index;
	json_t *value;
	json_array_foreach(json_object_get(facts, "values"), index, value) {
		const char *name = present_member(&section, value, "section");
		if (index == 0 || !streq(name, last.data ? last.data : "")) {
			draw_section(&table, colour, text);
			text_release(&last);
			text_add(&last, name);
			text_add(text, index ? "\n[" : "[");
			paint_add(text, colour, PAINT_STRONG, name);
			text_add(text, "]\n");
		}
		cut = add_row(&table, value) || cut;
	}
	draw_section(&table, colour, text);
	text_addf(text, "\n# Presets that there are (--preset): %s\n", present_member(&section, facts, "presets"));
	text_add(text, cut ? "\n# Long lists are cut short here; --json shows them whole.\n" : "");
	text_release(&section);
	text_release(&last);
}

int pinfold_describe_config(struct pinfold *pinfold, uint32_t form, char **ret_document,
			    struct pinfold_error *err)
{
	struct document facts = config_facts(pinfold->config);
	if (add_presets(&facts, pinfold->config, err) < 0) {
		document_release(&facts);
		return -1;
	}
	return present(&facts, form, render_config, ret_document, err);
}

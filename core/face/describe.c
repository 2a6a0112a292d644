/* face/describe.c - the configuration and the modules, as documents. */
#include "config.h"

#include "face/face.h"
#include "face/present.h"

#include <stdio.h>

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
	text_add(text, cut ? "\n# Long lists are cut short here; --json shows them whole.\n" : "");
	text_release(&section);
	text_release(&last);
}

int pinfold_describe_config(struct pinfold *pinfold, uint32_t form, char **ret_document,
			    struct pinfold_error *err)
{
	struct document facts = config_facts(pinfold->config);
	return present(&facts, form, render_config, ret_document, err);
}

/* Arms, views and wrappers alike have their name at a member `name`. */
#define PUT_NAMES(facts, plugin, member)                                                             \
	do {                                                                                         \
		struct document names_ = document_list();                                            \
		for (size_t i_ = 0; PINFOLD_HAS(plugin, member) && (plugin)->member[i_]; i_++)       \
			document_add(&names_, document_text((plugin)->member[i_]->name));            \
		document_put_document(facts, #member, &names_);                                      \
	} while (0)

static struct document module_facts(const struct module *module)
{
	static const char *const states[] = { "waiting", "loaded", "refused" };
	const struct pinfold_plugin *plugin = module->plugin;
	struct document facts = document_object();
	document_put(&facts, "name", document_text(module->name));
	document_put(&facts, "state", document_text(states[module->state % 3]));
	document_put(&facts, "path", document_text(module->path));
	if (module->state == MODULE_REFUSED)
		document_put(&facts, "refusal", document_error(&module->refusal));
	if (module->state != MODULE_LOADED)
		return facts;
	char interface[32];
	snprintf(interface, sizeof(interface), "%u.%u", plugin->major, plugin->minor);
	document_put(&facts, "version", document_text(plugin->version));
	document_put(&facts, "interface", document_text(interface));
	document_put(&facts, "summary", document_text(plugin->summary));
	PUT_NAMES(&facts, plugin, arms);
	PUT_NAMES(&facts, plugin, views);
	PUT_NAMES(&facts, plugin, wrappers);
	return facts;
}

static struct document plugin_facts(const struct registry *registry)
{
	struct document facts = document_object(), modules = document_list();
	for (size_t i = 0; i < registry_count(registry); i++) {
		struct document module = module_facts(registry_module(registry, i));
		document_add_document(&modules, &module);
	}
	document_put_document(&facts, "plugins", &modules);
	return facts;
}

static void render_module(struct text *text, const json_t *module, bool colour)
{
	static const struct present_row rows[] = {
		{ "summary", "summary" }, { "path", "path" }, { "interface", "interface" },
		{ "arms", "arms" }, { "views", "views" }, { "wrappers", "wrappers" },
	};
	struct table table = { .columns = 2, .indent = "  " };
	struct text room = { 0 };
	const json_t *refusal = json_object_get(module, "refusal");
	paint_add(text, colour, refusal ? PAINT_BAD : PAINT_STRONG,
		  present_member(&room, module, "name"));
	text_add(text, refusal ? ": refused" : " ");
	paint_add(text, colour, PAINT_PLAIN, present_member(&room, module, "version"));
	text_add(text, "\n");
	if (refusal)
		present_error(text, refusal, colour);
	else
		present_rows(&table, module, rows, N_ELEMENTS(rows));
	table_draw(&table, colour, text);
	table_release(&table);
	text_release(&room);
}

static void render_plugins(struct text *text, const json_t *facts, bool colour)
{
	size_t index;
	json_t *module;
	json_array_foreach(json_object_get(facts, "plugins"), index, module)
		render_module(text, module, colour);
}

int pinfold_describe_plugins(struct pinfold *pinfold, uint32_t form, char **ret_document,
			     struct pinfold_error *err)
{
	registry_load_all(pinfold->registry);
	struct document facts = plugin_facts(pinfold->registry);
	return present(&facts, form, render_plugins, ret_document, err);
}

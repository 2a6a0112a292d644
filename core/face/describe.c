/* face/describe.c - the configuration and the modules, as documents. */
#include "config.h"

#include "base/fault.h"
#include "face/document.h"
#include "face/face.h"

static json_t *config_facts(const struct config *config)
{
	json_t *values = json_array();
	for (size_t i = 0; values && i < config_entry_count(config); i++) {
		struct config_entry entry = config_entry_at(config, i);
		json_t *value = json_pack("{s:o, s:o, s:o, s:o, s:i, s:b, s:o}", "section",
					  document_text(entry.section), "key",
					  document_text(entry.key), "value",
					  document_text(entry.value), "file",
					  document_text(entry.file), "line", (int)entry.line,
					  "final", (int)entry.final, "help",
					  document_text(entry.help));
		if (json_array_append_new(values, value) < 0) {
			json_decref(values);
			return NULL;
		}
	}
	return values ? json_pack("{s:o}", "values", values) : NULL;
}

static void add_origin(struct text *text, const json_t *value)
{
	const char *file = json_string_value(json_object_get(value, "file"));
	long line = (long)json_integer_value(json_object_get(value, "line"));
	text_add(text, "  # ");
	text_add_quoted(text, file ? file : "built in");
	if (file && line > 0)
		text_addf(text, ":%ld", line);
	if (json_is_true(json_object_get(value, "final")))
		text_add(text, ", final");
}

static void render_config(struct text *text, const json_t *facts, bool colour)
{
	const char *last = "";
	size_t index;
	json_t *value;
	json_array_foreach(json_object_get(facts, "values"), index, value) {
		const char *section = json_string_value(json_object_get(value, "section"));
		if (section && !streq(section, last)) {
			text_add(text, index ? "\n" : "");
			document_add_colour(text, colour, "strong");
			text_add(text, "[");
			text_add_quoted(text, section);
			text_add(text, "]\n");
			document_add_colour(text, colour, "");
			last = section;
		}
		document_add_quoted(text, value, "key");
		text_add(text, " = ");
		document_add_quoted(text, value, "value");
		add_origin(text, value);
		text_add(text, "\n");
	}
}

int pinfold_describe_config(struct pinfold *pinfold, uint32_t form, char **ret_document,
			    struct pinfold_error *err)
{
	return document_write(config_facts(pinfold->config), form, render_config, ret_document, err);
}

/* The names in one of a plugin's lists; every kind of part has its name at the same place. */
#define PART_NAMES(list)                                                                             \
	({                                                                                           \
		json_t *names_ = json_array();                                                       \
		for (size_t i_ = 0; names_ && (list) && (list)[i_]; i_++)                            \
			json_array_append_new(names_, document_text((list)[i_]->name));              \
		names_;                                                                              \
	})

static json_t *module_facts(const struct module *module)
{
	static const char *const states[] = { "waiting", "loaded", "refused" };
	const struct pinfold_plugin *plugin = module->state == MODULE_LOADED ? module->plugin : NULL;
	json_t *facts = json_pack("{s:o, s:s, s:o}", "name", document_text(module->name), "state",
				  states[module->state % 3], "path", document_text(module->path));
	if (facts && plugin)
		json_object_update_new(facts, json_pack(
			"{s:o, s:o, s:i, s:i, s:o, s:o, s:o}", "version",
			document_text(plugin->version), "summary", document_text(plugin->summary),
			"major", (int)plugin->major, "minor", (int)plugin->minor, "arms",
			PART_NAMES(PINFOLD_HAS(plugin, arms) ? plugin->arms : NULL), "views",
			PART_NAMES(PINFOLD_HAS(plugin, views) ? plugin->views : NULL), "wrappers",
			PART_NAMES(PINFOLD_HAS(plugin, wrappers) ? plugin->wrappers : NULL)));
	else if (facts && module->state == MODULE_REFUSED)
		json_object_set_new(facts, "refusal", document_error(&module->refusal));
	return facts;
}

static json_t *plugin_facts(const struct registry *registry)
{
	json_t *modules = json_array();
	for (size_t i = 0; modules && i < registry_count(registry); i++)
		json_array_append_new(modules, module_facts(registry_module(registry, i)));
	return modules ? json_pack("{s:o}", "plugins", modules) : NULL;
}

static void add_refusal(struct text *text, const json_t *refusal)
{
	text_add(text, "  ");
	document_add_quoted(text, refusal, "code");
	text_add(text, ": cannot ");
	document_add_quoted(text, refusal, "action");
	text_add(text, "\n    subject: ");
	document_add_quoted(text, refusal, "subject");
	text_add(text, "\n    try:     ");
	document_add_quoted(text, refusal, "recovery");
	text_add(text, "\n");
}

static void add_parts(struct text *text, const json_t *module)
{
	static const char *const kinds[] = { "arms", "views", "wrappers" };
	for (size_t i = 0; i < N_ELEMENTS(kinds); i++) {
		const json_t *names = json_object_get(module, kinds[i]);
		if (json_array_size(names) == 0)
			continue;
		text_addf(text, "  %s: ", kinds[i]);
		document_add_list(text, names);
		text_add(text, "\n");
	}
}

static void render_plugins(struct text *text, const json_t *facts, bool colour)
{
	size_t index;
	json_t *module;
	json_array_foreach(json_object_get(facts, "plugins"), index, module) {
		const json_t *refusal = json_object_get(module, "refusal");
		document_add_colour(text, colour, refusal ? "bad" : "strong");
		document_add_quoted(text, module, "name");
		text_add(text, " ");
		document_add_quoted(text, module, "version");
		document_add_colour(text, colour, "");
		text_add(text, refusal ? "refused\n" : "\n");
		if (refusal) {
			add_refusal(text, refusal);
			continue;
		}
		text_add(text, "  ");
		document_add_quoted(text, module, "summary");
		text_add(text, "\n  ");
		document_add_quoted(text, module, "path");
		text_add(text, "\n");
		add_parts(text, module);
	}
}

int pinfold_describe_plugins(struct pinfold *pinfold, uint32_t form, char **ret_document,
			     struct pinfold_error *err)
{
	plugins_lock();
	registry_load_all(pinfold->registry);
	json_t *facts = plugin_facts(pinfold->registry);
	plugins_unlock();
	return document_write(facts, form, render_plugins, ret_document, err);
}

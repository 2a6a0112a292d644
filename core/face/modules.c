/* face/modules.c - the modules as documents: all of them, or one with the keys of its sections. */
#include "config.h"

#include "face/face.h"
#include "face/present.h"

#include "base/fault.h"

#include <stdio.h>

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
	document_put(&facts, "manual", document_text(PINFOLD_HAS(plugin, manual) ? plugin->manual : NULL));
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
		{ "manual", "manual" },
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

static const char *type_name(uint32_t type)
{
	static const char *const names[] = {
		[PINFOLD_KEY_TEXT] = "text",	 [PINFOLD_KEY_FLAG] = "yes or no", [PINFOLD_KEY_NUMBER] = "number",
		[PINFOLD_KEY_PATH] = "path",	 [PINFOLD_KEY_LIST] = "list",	   [PINFOLD_KEY_WORD] = "word",
	};
	return type < N_ELEMENTS(names) ? names[type] : "text";
}

static struct document key_facts(const struct pinfold_host *host, const struct pinfold_key *key)
{
	struct document facts = document_object();
	const char *words = key->type == PINFOLD_KEY_WORD && PINFOLD_HAS(key, words) ? key->words : NULL;
	document_put(&facts, "key", document_text(key->name));
	document_put(&facts, "type", document_text(type_name(key->type)));
	document_put(&facts, "words", document_text(words));
	document_put(&facts, "default", document_text(key->initial));
	document_put(&facts, "value", document_text(host ? host->setting(host, key->name) : NULL));
	document_put(&facts, "help", document_text(PINFOLD_HAS(key, help) ? key->help : NULL));
	return facts;
}

/* The plugin's own structures: those of another minor version differ in length. */
static struct document keys_facts(struct registry *registry, const char *section, const struct pinfold_key *keys)
{
	struct document list = document_list();
	struct pinfold_host *host = registry_host(registry, section);
	const struct pinfold_key *key = keys;
	for (; key && key->name; key = (const void *)((const char *)key + keys->size)) {
		struct document one = key_facts(host, key);
		document_add_document(&list, &one);
	}
	registry_host_free(host);
	return list;
}

static void add_section(struct document *sections, struct registry *registry, const char *kind, const char *name,
			const char *summary, const struct pinfold_key *keys)
{
	struct text section = { 0 };
	text_addf(&section, "%s:%s", kind, name);
	if (section.failed) {
		document_add(sections, NULL);
		return;
	}
	struct document facts = document_object(), list = keys_facts(registry, section.data, keys);
	document_put(&facts, "section", document_text(section.data));
	document_put(&facts, "summary", document_text(summary));
	document_put_document(&facts, "keys", &list);
	document_add_document(sections, &facts);
	text_release(&section);
}

#define ADD_SECTIONS(sections, registry, plugin, member, kind)                                                \
	for (size_t i_ = 0; PINFOLD_HAS(plugin, member) && (plugin)->member[i_]; i_++)                      \
		add_section(sections, registry, kind, (plugin)->member[i_]->name, (plugin)->member[i_]->summary, \
			    (plugin)->member[i_]->keys)

static struct document one_module_facts(const struct pinfold *pinfold, const struct module *module)
{
	const struct pinfold_plugin *plugin = module->plugin;
	struct document facts = module_facts(module), sections = document_list();
	if (module->state == MODULE_LOADED) {
		ADD_SECTIONS(&sections, pinfold->registry, plugin, arms, "arm");
		ADD_SECTIONS(&sections, pinfold->registry, plugin, views, "view");
		ADD_SECTIONS(&sections, pinfold->registry, plugin, wrappers, "wrapper");
	}
	document_put_document(&facts, "sections", &sections);
	return facts;
}

/* "one of a b, a", "yes or no, no", "path". */
static void add_kind(struct text *text, const json_t *key)
{
	struct text room = { 0 };
	const char *words = present_member(&room, key, "words");
	if (words[0])
		text_addf(text, "one of: %s", words);
	else
		text_add(text, present_member(&room, key, "type"));
	const char *initial = present_member(&room, key, "default");
	if (initial[0])
		text_addf(text, "; %s", initial);
	text_release(&room);
}

static void render_section(struct text *text, const json_t *section, bool colour)
{
	struct table table = { .columns = 3, .indent = "  " };
	struct text room = { 0 }, kind = { 0 };
	size_t index;
	json_t *key;
	text_add(text, "\n[");
	paint_add(text, colour, PAINT_STRONG, present_member(&room, section, "section"));
	text_add(text, "]  ");
	paint_add(text, colour, PAINT_FAINT, present_member(&room, section, "summary"));
	text_add(text, "\n");
	json_array_foreach(json_object_get(section, "keys"), index, key) {
		text_release(&kind);
		add_kind(&kind, key);
		table_add(&table, PAINT_PLAIN, present_member(&room, key, "key"));
		table_add(&table, PAINT_FAINT, kind.data);
		table_add(&table, PAINT_PLAIN, present_member(&room, key, "help"));
	}
	text_add(text, json_array_size(json_object_get(section, "keys")) ? "" : "  it has no keys of its own\n");
	table_draw(&table, colour, text);
	table_release(&table);
	text_release(&room);
	text_release(&kind);
}

static void render_one(struct text *text, const json_t *facts, bool colour)
{
	size_t index;
	json_t *section;
	render_module(text, facts, colour);
	json_array_foreach(json_object_get(facts, "sections"), index, section)
		render_section(text, section, colour);
}

#define HAS_PART(plugin, member, wanted)                                                                 \
	({                                                                                               \
		bool has_ = false;                                                                       \
		for (size_t i_ = 0; PINFOLD_HAS(plugin, member) && (plugin)->member[i_]; i_++)           \
			has_ = has_ || streq((plugin)->member[i_]->name, wanted);                        \
		has_;                                                                                    \
	})

/* A module by its name, or by that of an arm, a view or a wrapper that it has. */
static const struct module *find_module(const struct registry *registry, const char *name)
{
	for (size_t i = 0; i < registry_count(registry); i++)
		if (streq(registry_module(registry, i)->name, name))
			return registry_module(registry, i);
	for (size_t i = 0; i < registry_count(registry); i++) {
		const struct module *module = registry_module(registry, i);
		if (module->state == MODULE_LOADED &&
		    (HAS_PART(module->plugin, arms, name) || HAS_PART(module->plugin, views, name) ||
		     HAS_PART(module->plugin, wrappers, name)))
			return module;
	}
	return NULL;
}

int pinfold_describe_plugin(struct pinfold *pinfold, const char *name, uint32_t form, char **ret_document,
			    struct pinfold_error *err)
{
	if (!name)
		return fault(err, PINFOLD_E_USAGE, 0, "describe a plugin", "there is no name", "name a module");
	registry_load_all(pinfold->registry);
	const struct module *module = find_module(pinfold->registry, name);
	if (!module)
		return fault(err, PINFOLD_E_USAGE, 0, "find the plugin", name,
			     "`pinfold plugins` lists the modules and their parts");
	struct document facts = one_module_facts(pinfold, module);
	return present(&facts, form, render_one, ret_document, err);
}

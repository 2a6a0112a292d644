/* registry/registry.c - modules loaded when they are needed, and their parts by name. */
#include "config.h"

#include "registry/modules.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/text.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>

/* From this version of the interface on a plugin's functions may be called from several threads. */
enum { THREADS_MINOR = 2 };

/* libltdl is not thread-safe: every load in this process takes this. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int registry_new(const struct config *config, const struct registry_services *services,
		 struct registry **ret_registry, struct pinfold_error *err)
{
	if (getauxval(AT_SECURE))
		return fault(err, PINFOLD_E_PLUGIN, 0, "load plugins",
			     "this process has more privileges than its caller",
			     "run pinfold without set-user-ID, set-group-ID and file capabilities");
	struct registry *registry = calloc(1, sizeof(*registry));
	if (!registry || !(registry->arena = arena_new())) {
		registry_free(registry);
		return fault_no_memory(err);
	}
	registry->config = config;
	registry->parts_end = &registry->parts;
	if (services)
		registry->services = *services;
	if (find_modules(registry, err) < 0) {
		registry_free(registry);
		return -1;
	}
	*ret_registry = registry;
	return 0;
}

void registry_free(struct registry *registry)
{
	if (!registry)
		return;
	arena_free(registry->arena);
	free(registry);
}

size_t registry_count(const struct registry *registry)
{
	return registry->count;
}

const struct module *registry_module(const struct registry *registry, size_t index)
{
	return &registry->modules[index].module;
}

/* The plugin's keys in the host's own layout: those of another minor version differ in length. */
static int copy_keys(struct arena *arena, const struct pinfold_key *keys,
		     const struct pinfold_key **ret_keys)
{
	size_t stride = keys->size, count = 0;
	while (((const struct pinfold_key *)((const char *)keys + count * stride))->name)
		count++;
	struct pinfold_key *copies = arena_allocate(arena, (count + 1) * sizeof(*copies));
	if (!copies)
		return -1;
	for (size_t i = 0; i < count; i++) {
		size_t bytes = stride < sizeof(*copies) ? stride : sizeof(*copies);
		memcpy(&copies[i], (const char *)keys + i * stride, bytes);
		copies[i].size = sizeof(*copies);
		if (copies[i].type > PINFOLD_KEY_WORD)
			copies[i].type = PINFOLD_KEY_TEXT;
	}
	*ret_keys = copies;
	return 0;
}

static struct part *part_new(struct registry *registry, enum part_kind kind, const char *name,
			     const struct part_head *head, const struct module_entry *entry)
{
	struct arena *arena = registry->arena;
	struct part *part = arena_allocate(arena, sizeof(*part));
	if (!part)
		return NULL;
	part->kind = kind;
	part->head = head;
	part->entry = entry;
	part->section = arena_print(arena, "%s:%s", part_kind_name(kind), name);
	if (!part->section || (head->keys && copy_keys(arena, head->keys, &part->keys) < 0))
		return NULL;
	return part;
}

static struct part *find_part(const struct registry *registry, const char *section)
{
	for (struct part *part = registry->parts; part; part = part->next)
		if (streq(part->section, section))
			return part;
	return NULL;
}

/* Compares what is configured for the part with its keys, once. */
static const struct part *checked(const struct registry *registry, struct part *part)
{
	if (part && !part->checked)
		config_check_section(registry->config, part->section, part->keys, &part->misuse);
	if (part)
		part->checked = true;
	return part;
}

const struct part *registry_part(const struct registry *registry, const char *section)
{
	pthread_mutex_lock(&lock);
	const struct part *part = checked(registry, find_part(registry, section));
	pthread_mutex_unlock(&lock);
	return part;
}

bool registry_has(const struct registry *registry, const char *section)
{
	return registry_part(registry, section) != NULL;
}

/* Makes the parts of a vetted plugin known: all of them, or none. */
static int add_parts(struct registry *registry, const struct pinfold_plugin *plugin,
		     const struct module_entry *entry, struct pinfold_error *err)
{
	struct part *first = NULL, **end = &first;
	for (enum part_kind kind = 0; kind < PART_KINDS; kind++) {
		const struct part_head *const *heads = part_list(plugin, kind);
		for (size_t i = 0; heads && heads[i]; i++) {
			struct part *part = part_new(registry, kind, heads[i]->name, heads[i], entry);
			if (!part)
				return fault_no_memory(err);
			const struct part *taken = find_part(registry, part->section);
			if (taken)
				return faultf(err, PINFOLD_E_PLUGIN, 0, "use the plugin",
					      "take one of the two out of [pinfold] plugins",
					      "%s: the %s %s is taken by %s", entry->module.path,
					      part_kind_name(kind), heads[i]->name,
					      taken->entry->module.path);
			*end = part;
			end = &part->next;
		}
	}
	if (first) {
		*registry->parts_end = first;
		registry->parts_end = end;
	}
	return 0;
}

static int load(struct registry *registry, struct module_entry *entry, struct pinfold_error *err)
{
	const struct pinfold_plugin *plugin = built_in_find(registry->services.built_in, &entry->module);
	if ((!plugin && load_object(entry->module.path, &plugin, err) < 0) ||
	    vet_plugin(plugin, entry->module.path, entry->module.name, err) < 0 ||
	    add_parts(registry, plugin, entry, err) < 0)
		return -1;
	entry->module.plugin = plugin;
	return 0;
}

static void load_once(struct registry *registry, struct module_entry *entry)
{
	if (entry->module.state != MODULE_WAITING)
		return;
	int loaded = load(registry, entry, &entry->module.refusal);
	entry->module.state = loaded < 0 ? MODULE_REFUSED : MODULE_LOADED;
}

void registry_load_all(struct registry *registry)
{
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < registry->count; i++)
		load_once(registry, &registry->modules[i]);
	pthread_mutex_unlock(&lock);
}

/* Loads what is called `name`; the refusal of the last such file, or NULL where none was refused. */
static const struct pinfold_error *load_named(struct registry *registry, const char *name,
					      bool *ret_known)
{
	const struct pinfold_error *refusal = NULL;
	for (size_t i = 0; i < registry->count; i++) {
		struct module_entry *entry = &registry->modules[i];
		if (!streq(entry->module.name, name))
			continue;
		*ret_known = true;
		load_once(registry, entry);
		if (entry->module.state == MODULE_REFUSED)
			refusal = &entry->module.refusal;
	}
	return refusal;
}

/* What cannot be loaded may be what has it: a package that is not there. NULL where all is loaded. */
static char *name_refused(const struct registry *registry)
{
	struct text text = { 0 };
	for (size_t i = 0; i < registry->count; i++)
		if (registry->modules[i].module.state == MODULE_REFUSED)
			text_addf(&text, "%s%s", text.length ? ", " : "", registry->modules[i].module.name);
	return text.length ? text_take(&text) : NULL;
}

static int unknown_part(const struct registry *registry, enum part_kind kind, const char *name,
			struct pinfold_error *err)
{
	const char *names[256];
	size_t count = 0;
	for (const struct part *part = registry->parts; part && count < N_ELEMENTS(names);
	     part = part->next)
		if (part->kind == kind)
			names[count++] = part->head->name;
	const char *nearest = text_nearest(name, names, count);
	char action[64], recovery[256];
	auto_free char *refused = name_refused(registry);
	snprintf(action, sizeof(action), "find the %s", part_kind_name(kind));
	if (nearest)
		snprintf(recovery, sizeof(recovery), "did you mean %s?", nearest);
	else if (refused)
		snprintf(recovery, sizeof(recovery), "see in `pinfold plugins` what these lack, one of which may "
			 "have it: %s", refused);
	else
		snprintf(recovery, sizeof(recovery),
			 "name one that `pinfold plugins` lists, or add its module to [pinfold] "
			 "plugins");
	return faultf(err, PINFOLD_E_CONFIG, 0, action, recovery, "no module has the %s %s",
		      part_kind_name(kind), name);
}

/* The module that the section names, then the module of the same name, then the others. */
static int load_for(struct registry *registry, enum part_kind kind, const char *section,
		    const char *name, struct pinfold_error *err)
{
	bool known = false;
	const char *named = config_section_value(registry->config, section, "plugin");
	const struct pinfold_error *refusal = load_named(registry, named ? named : name, &known);
	if (find_part(registry, section))
		return 0;
	if (named && !known)
		return faultf(err, PINFOLD_E_CONFIG, 0, "find the plugin",
			      "add it to [pinfold] plugins",
			      "[%s] wants the module %s, which [pinfold] plugins does not list",
			      section, named);
	for (size_t i = 0; !named && i < registry->count; i++) {
		load_once(registry, &registry->modules[i]);
		if (find_part(registry, section))
			return 0;
	}
	if (refusal)
		*err = *refusal;
	return refusal ? -1 : unknown_part(registry, kind, name, err);
}

static bool is_in_configuration(const struct registry *registry, const char *section)
{
	for (size_t i = 0; i < config_entry_count(registry->config); i++)
		if (streq(config_entry_at(registry->config, i).section, section))
			return true;
	return false;
}

/* A wrapper that serves many sections, under its own name. */
static bool serves_many(const struct part *part)
{
	return part->kind == PART_WRAPPER && part->head->second == 1 &&
	       part->entry->module.plugin->minor >= 1 &&
	       streq(strchr(part->section, ':') + 1, part->head->name);
}

/* Gives a configured section that no part has to a wrapper that serves many; that of the section's own
 * module where it names one. */
static bool adopt(struct registry *registry, enum part_kind kind, const char *section, const char *name)
{
	const char *named = config_section_value(registry->config, section, "plugin");
	if (kind != PART_WRAPPER || !is_in_configuration(registry, section))
		return false;
	for (const struct part *part = registry->parts; part; part = part->next) {
		if (!serves_many(part) || (named && !streq(named, part->entry->module.name)))
			continue;
		struct part *another = part_new(registry, kind, name, part->head, part->entry);
		if (!another)
			return false;
		*registry->parts_end = another;
		registry->parts_end = &another->next;
		return true;
	}
	return false;
}

static int lookup(struct registry *registry, enum part_kind kind, const char *name,
		  const struct part_head **ret_head, struct pinfold_error *err)
{
	char section[80];
	if (!module_name_is_plain(name))
		return unknown_part(registry, kind, name, err);
	snprintf(section, sizeof(section), "%s:%s", part_kind_name(kind), name);
	if (!find_part(registry, section) && load_for(registry, kind, section, name, err) < 0 &&
	    !adopt(registry, kind, section, name))
		return -1;
	const struct part *part = checked(registry, find_part(registry, section));
	if (part->misuse.code) {
		*err = part->misuse;
		return -1;
	}
	*ret_head = part->head;
	return 0;
}

static int lookup_locked(struct registry *registry, enum part_kind kind, const char *name,
			 const struct part_head **ret_head, struct pinfold_error *err)
{
	struct pinfold_error found = { 0 };
	pthread_mutex_lock(&lock);
	int result = lookup(registry, kind, name, ret_head, &found);
	pthread_mutex_unlock(&lock);
	if (result < 0 && err)
		*err = found;
	return result;
}

int registry_arm(struct registry *registry, const char *name,
		 const struct pinfold_arm **ret_arm, struct pinfold_error *err)
{
	const struct part_head *head;
	if (lookup_locked(registry, PART_ARM, name, &head, err) < 0)
		return -1;
	*ret_arm = (const void *)head;
	return 0;
}

int registry_view(struct registry *registry, const char *name,
		  const struct pinfold_view **ret_view, struct pinfold_error *err)
{
	const struct part_head *head;
	if (lookup_locked(registry, PART_VIEW, name, &head, err) < 0)
		return -1;
	*ret_view = (const void *)head;
	return 0;
}

int registry_wrapper(struct registry *registry, const char *name,
		     const struct pinfold_wrapper **ret_wrapper, struct pinfold_error *err)
{
	const struct part_head *head;
	if (lookup_locked(registry, PART_WRAPPER, name, &head, err) < 0)
		return -1;
	*ret_wrapper = (const void *)head;
	return 0;
}

static int add_names(struct registry *registry, enum part_kind kind, struct list *names)
{
	int result = 0;
	registry_load_all(registry);
	pthread_mutex_lock(&lock);
	for (const struct part *part = registry->parts; part && result == 0; part = part->next)
		if (part->kind == kind)
			result = list_add(names, part->head->name);
	pthread_mutex_unlock(&lock);
	return result;
}

int registry_arm_names(struct registry *registry, struct list *names)
{
	return add_names(registry, PART_ARM, names);
}

int registry_view_names(struct registry *registry, struct list *names)
{
	return add_names(registry, PART_VIEW, names);
}

/* Every configured section becomes a part first, where a wrapper serves it. */
int registry_wrapper_names(struct registry *registry, struct list *names)
{
	static const char prefix[] = "wrapper:";
	const struct pinfold_wrapper *wrapper;
	int result = 0;
	registry_load_all(registry);
	for (size_t i = 0; i < config_entry_count(registry->config); i++) {
		const char *section = config_entry_at(registry->config, i).section;
		if (starts_with(section, prefix))
			registry_wrapper(registry, section + strlen(prefix), &wrapper, NULL);
	}
	pthread_mutex_lock(&lock);
	for (const struct part *part = registry->parts; part && result == 0; part = part->next)
		if (part->kind == PART_WRAPPER && !serves_many(part))
			result = list_add(names, part->section + strlen(prefix));
	pthread_mutex_unlock(&lock);
	return result;
}

/* Of a part's table; NULL where it is none of this registry's. */
static const struct pinfold_plugin *plugin_of(struct registry *registry, const void *table)
{
	const struct pinfold_plugin *plugin = NULL;
	pthread_mutex_lock(&lock);
	for (const struct part *part = registry->parts; part && !plugin; part = part->next)
		if (part->head == table)
			plugin = part->entry->module.plugin;
	pthread_mutex_unlock(&lock);
	return plugin;
}

bool registry_takes_turns(struct registry *registry, const void *table)
{
	const struct pinfold_plugin *plugin = plugin_of(registry, table);
	return !plugin || plugin->minor < THREADS_MINOR;
}

const char *registry_version_of(struct registry *registry, const void *table)
{
	const struct pinfold_plugin *plugin = plugin_of(registry, table);
	return plugin ? plugin->version : NULL;
}

unsigned registry_minor_of(struct registry *registry, const void *table)
{
	const struct pinfold_plugin *plugin = plugin_of(registry, table);
	return plugin ? plugin->minor : 0;
}

int registry_blame(struct pinfold_error *err, const char *plugin, const char *hook)
{
	if (err && err->code != PINFOLD_E_NONE)
		return -1;
	return faultf(err, PINFOLD_E_PLUGIN, 0, "go on",
		      "tell the plugin's author: a hook that fails must say why",
		      "%s gave no reason for the failure of %s", plugin, hook);
}

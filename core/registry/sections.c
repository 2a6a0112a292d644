/* registry/sections.c - sections of the configuration that no module has: mistyped, most likely. */
#include "registry/modules.h"

#include "base/text.h"
#include "config/keys.h"
#include "config/place.h"

enum { NAMES_MOST = 64 };

static bool is_configured(const struct registry *registry, const char *module)
{
	for (size_t i = 0; module && i < registry_count(registry); i++)
		if (streq(registry_module(registry, i)->name, module))
			return true;
	return false;
}

/* A module that is there and was refused may have any part: nothing can be said then. */
static bool is_every_module_known(const struct registry *registry)
{
	for (size_t i = 0; i < registry_count(registry); i++) {
		const struct module *module = registry_module(registry, i);
		if (module->state == MODULE_REFUSED && module->path)
			return false;
	}
	return true;
}

/* Loads modules until one has the part. */
static int look_for(struct registry *registry, enum part_kind kind, const char *name,
		    struct pinfold_error *err)
{
	const struct pinfold_arm *arm;
	const struct pinfold_view *view;
	const struct pinfold_wrapper *wrapper;
	if (kind == PART_ARM)
		return registry_arm(registry, name, &arm, err);
	if (kind == PART_VIEW)
		return registry_view(registry, name, &view, err);
	return registry_wrapper(registry, name, &wrapper, err);
}

static int refuse(const struct registry *registry, const struct config_entry *entry,
		  enum part_kind kind, const char *name, struct pinfold_error *err)
{
	const char *names[NAMES_MOST];
	struct place place = { entry->file, entry->line };
	size_t count = 0;
	for (const struct part *part = registry->parts; part && count < NAMES_MOST; part = part->next)
		if (part->kind == kind)
			names[count++] = part->head->name;
	for (size_t i = 0; i < registry_count(registry) && count < NAMES_MOST; i++)
		names[count++] = registry_module(registry, i)->name;
	return place_fault_unknown(place, err, name, names, count,
				   "`pinfold plugins` lists the parts of every module",
				   "the section [%s] is no module's: there is no %s `%s`",
				   entry->section, part_kind_name(kind), name);
}

static int check_section(struct registry *registry, const struct config_entry *entry,
			 struct pinfold_error *err)
{
	const char *name = strchr(entry->section, ':') + 1;
	enum part_kind kind = PART_ARM;
	while (!starts_with(entry->section, part_kind_name(kind)))
		kind++;
	if (is_configured(registry, name) || registry_has(registry, entry->section) ||
	    is_configured(registry, config_section_value(registry->config, entry->section, "plugin")))
		return 0;
	struct pinfold_error why = { 0 };
	int found = look_for(registry, kind, name, &why);
	/* A wrapper that serves any name takes a mistyped one as well: its keys then tell. */
	if (found < 0 && kind == PART_WRAPPER && registry_has(registry, entry->section)) {
		if (err)
			*err = why;
		return -1;
	}
	if (registry_has(registry, entry->section) || !is_every_module_known(registry))
		return 0;
	return refuse(registry, entry, kind, name, err);
}

int registry_check_sections(struct registry *registry, struct pinfold_error *err)
{
	for (size_t i = 0; i < config_entry_count(registry->config); i++) {
		struct config_entry entry = config_entry_at(registry->config, i);
		if (key_is_plugin_section(entry.section) && check_section(registry, &entry, err) < 0)
			return -1;
	}
	return 0;
}

/* registry/modules.h - what the registry's own files know of modules and of the parts in them. */
#ifndef REGISTRY_MODULES_H
#define REGISTRY_MODULES_H

#include "base/arena.h"
#include "registry/registry.h"

#include <stdbool.h>

/* A module under its configured name, with what its file was when it was found. */
struct module_entry {
	struct module module;
	const char *identity;	/* NULL where no file was found */
};

enum part_kind { PART_ARM = 0, PART_VIEW, PART_WRAPPER, PART_KINDS };

/* The members with which arms, views and wrappers alike begin. */
struct part_head {
	uint32_t size;
	uint32_t second;
	const char *name;
	const char *summary;
	const struct pinfold_key *keys;
};

/* An arm, a view or a wrapper of a loaded module. */
struct part {
	struct part *next;
	enum part_kind kind;
	const struct part_head *head;	/* the plugin's own table */
	const struct pinfold_key *keys;	/* in the host's layout, or NULL */
	const char *section;	/* "arm:NAME" */
	const struct module_entry *entry;
	bool checked;		/* its section was compared with its keys */
	struct pinfold_error misuse;	/* what that found */
};

struct registry {
	const struct config *config;
	struct registry_services services;
	struct arena *arena;	/* all that the registry hands out; under the lock */
	struct module_entry *modules;
	size_t count;
	struct part *parts;
	struct part **parts_end;
};

/* "arm", "view", "wrapper". */
const char *part_kind_name(enum part_kind kind);
/* A NULL-terminated list of a plugin, or NULL where it has none or is too old to have it. */
const struct part_head *const *part_list(const struct pinfold_plugin *plugin, enum part_kind kind);

/* A word that may name a module or a part: [a-z][a-z0-9-]*, of at most 48 bytes. */
bool module_name_is_plain(const char *name);

/* Fills the modules from the configuration; loads nothing. */
int find_modules(struct registry *registry, struct pinfold_error *err);

/* Loads the object and finds its symbol. Under the registry's lock only. */
int load_object(const char *path, const struct pinfold_plugin **ret_plugin,
		struct pinfold_error *err);

/* The part of this program that was built with the module's file, or NULL. */
const struct pinfold_plugin *built_in_find(const struct pinfold_built_in *built_in, const struct module *module);

/* Checks everything about a plugin's tables that can be checked without calling it. */
int vet_plugin(const struct pinfold_plugin *plugin, const char *path, const char *name,
	       struct pinfold_error *err);

/* The part with this section ("arm:NAME") among the loaded modules, or NULL. */
const struct part *registry_part(const struct registry *registry, const char *section);

#endif

/* registry/registry.h - modules: found, vetted, loaded once, and kept. All of libltdl lies behind it.
 *
 * Loading takes a lock of its own (libltdl is not thread-safe); what was loaded stays for the life of
 * the process. Everything returned lives as long as the registry.
 */
#ifndef REGISTRY_REGISTRY_H
#define REGISTRY_REGISTRY_H

#include "config/config.h"

#include <pinfold/arm.h>
#include <pinfold/view.h>
#include <pinfold/wrapper.h>

struct registry;

enum module_state { MODULE_WAITING = 0, MODULE_LOADED, MODULE_REFUSED };

struct module {
	const char *name;
	const char *path;	/* NULL where none was found */
	uint32_t state;		/* enum module_state */
	const struct pinfold_plugin *plugin;	/* when loaded */
	struct pinfold_error refusal;	/* when refused */
};

/* Looks at the configured names and directories; loads nothing. `trees` is the host's engine of
 * copies, handed to views; `log` receives what plugins say. */
struct registry_services {
	const struct pinfold_trees *trees;
	const struct pinfold_built_in *built_in;	/* the last has no name; or NULL */
	void (*log)(void *context, uint32_t level, const char *text);
	void *log_context;
};
int registry_new(const struct config *config, const struct registry_services *services,
		 struct registry **ret_registry, struct pinfold_error *err);
void registry_free(struct registry *registry);

size_t registry_count(const struct registry *registry);
const struct module *registry_module(const struct registry *registry, size_t index);
/* Tries every configured module; refusals are kept in the modules, not returned. */
void registry_load_all(struct registry *registry);

/* Finds an arm or a view by name, loading no more modules than it takes: the module that the
 * section's key `plugin` names, the module of the same name, then the others in their order. */
int registry_arm(struct registry *registry, const char *name, const struct pinfold_arm **ret_arm,
		 struct pinfold_error *err);
int registry_view(struct registry *registry, const char *name, const struct pinfold_view **ret_view,
		  struct pinfold_error *err);
int registry_wrapper(struct registry *registry, const char *name,
		     const struct pinfold_wrapper **ret_wrapper, struct pinfold_error *err);

/* Refuses a section of the configuration ("arm:NAME") that no module has, naming file and line. Loads
 * modules only where a section has neither the name of a module nor the key `plugin`. */
int registry_check_sections(struct registry *registry, struct pinfold_error *err);
/* Has a loaded module the part of this section ("arm:NAME")? */
bool registry_has(const struct registry *registry, const char *section);
/* Adds the names of all arms to a list, in the order of their modules; loads every module. -1 when
 * memory is gone. */
int registry_arm_names(struct registry *registry, struct list *names);
/* The same of views. */
int registry_view_names(struct registry *registry, struct list *names);
/* The same of wrappers, with those that the configuration describes by a section [wrapper:NAME] alone: each
 * is found by registry_wrapper, and its host is that of its own section. A name may be in a section whose
 * values are wrong; registry_wrapper then says so. */
int registry_wrapper_names(struct registry *registry, struct list *names);

/* A host table for one use (one probe, one cage, one tree) of "arm:NAME" or "view:NAME", with memory
 * of its own, which goes with it. NULL when memory is gone. */
struct pinfold_host *registry_host(struct registry *registry, const char *section);
void registry_host_free(struct pinfold_host *host);

/* Must this arm's, view's or wrapper's functions be called from one thread at a time? Such is the rule for
 * modules that were built before version 1.2 of the interface; the others' may be called from several at once,
 * each call with a host table that no other has. */
bool registry_takes_turns(struct registry *registry, const void *table);
/* The version of the module that has it, or NULL. */
const char *registry_version_of(struct registry *registry, const void *table);
/* The minor version of the interface that its module was built for. */
unsigned registry_minor_of(struct registry *registry, const void *table);

/* Fills an error where a plugin's function failed and left none: "NAME gave no reason". */
int registry_blame(struct pinfold_error *err, const char *plugin, const char *hook);

#endif

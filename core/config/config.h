/* config/config.h - the effective configuration: every key with its value and where that comes from.
 *
 * Layers, later wins: built in, vendor, site, user, one named file, settings of the command line. A
 * configuration is read once and never changes; it may then be used from any thread.
 */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include "base/list.h"

#include <pinfold/plugin.h>
#include <stdbool.h>
#include <stdint.h>

struct config;

/* Where to look. NULL in the first three means the built-in directories; "" means no such layer. */
struct config_sources {
	const char *vendor;	/* directory of vendor *.conf, with presets/ below it */
	const char *site;	/* directory of pinfold.conf, conf.d/ and presets/ */
	const char *user;	/* the user's pinfold.conf, a file */
	const char *file;	/* --config FILE, or NULL */
	const char *const *settings;	/* "section.key=value", NULL-terminated, or NULL; a section such
					 * as arm:namespaces keeps its colon */
};

int config_load(const struct config_sources *sources, struct config **ret_config,
		struct pinfold_error *err);
void config_free(struct config *config);

/* Fails where the vendor's file of the hard tier is missing or empty. Whoever is going to run a command asks;
 * a configuration can be looked at, and work be brought home, without it. */
int config_check_hard(const struct config *config, struct pinfold_error *err);

/* Values of known keys. Asking for a key that the table does not have, or as another type than its
 * own, is a fault of ours: abort. A number is also the bytes of a size and the nanoseconds of a
 * duration. A text may also be a path or a word; "" where none is set. */
const char *config_text(const struct config *config, const char *section, const char *key);
uint64_t config_number(const struct config *config, const char *section, const char *key);
const struct list *config_list(const struct config *config, const char *section, const char *key);
/* The place of the value among the key's words, from 0. */
unsigned config_word(const struct config *config, const char *section, const char *key);

/* Does a file or a setting name it, if only to set it to nothing? */
bool config_is_set(const struct config *config, const char *section, const char *key);

/* Keys of a plugin's own section ("arm:namespaces"): checked against the plugin's list, so that an
 * unknown key or a bad value is an error that names file, line and the nearest known key. */
int config_check_section(const struct config *config, const char *section,
			 const struct pinfold_key *keys, struct pinfold_error *err);
/* The value set for a key of such a section (a list joined by newlines), or NULL. To be asked after
 * config_check_section has returned 0 for it: before, only `plugin` (the host's own key: the module
 * that has the part) has a meaning, and another key that is set is a fault of ours: abort. */
const char *config_section_value(const struct config *config, const char *section, const char *key);

/* Declared grants: sections [grant:NAME], in the order in which they appear. False past the last. */
struct config_grant {
	const char *name;
	unsigned kind;	/* enum pinfold_grant_kind */
	const char *path;	/* absolute, or NULL */
};
bool config_grant_at(const struct config *config, size_t index, struct config_grant *ret_grant);

/* Paths below `~` that name nothing because this caller has no home, as they were written. */
const struct list *config_homeless(const struct config *config);

/* Adds the names of the presets that there are: as a file is called, without its ending. */
int config_presets(const struct config *config, struct list *names, struct pinfold_error *err);

/* Every key with its value, for `pinfold config`. Strings live as long as the configuration. */
struct config_entry {
	const char *section, *key;
	const char *value;	/* as text; a list joined by ", " */
	const char *file;	/* NULL: built in; "--set" … for the command line */
	unsigned line;
	bool final;
	const char *help;	/* NULL for a plugin's own key */
};
size_t config_entry_count(const struct config *config);
struct config_entry config_entry_at(const struct config *config, size_t index);

#endif

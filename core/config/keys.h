/* config/keys.h - the one table of keys: parser, `pinfold config`, man page and tests come from it. */
#ifndef CONFIG_KEYS_H
#define CONFIG_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum key_type {
	KEY_TEXT = 0,
	KEY_NUMBER,	/* decimal, not negative */
	KEY_SIZE,	/* bytes; K, M, G, T are powers of 1024 */
	KEY_DURATION,	/* "500ms", "2s", "2", "5m", "1h"; kept in nanoseconds */
	KEY_SHARE,	/* "2", "1.5", "0.25"; kept in hundredths */
	KEY_PATH,	/* absolute, below `~`, or empty */
	KEY_WORD,	/* one of `words` */
	KEY_LIST
};

/* What an item of a list, or a text, must look like. */
enum key_item {
	ITEM_ANY = 0,
	ITEM_NAME,	/* of a plugin, arm, view or preset: [a-z][a-z0-9-]* */
	ITEM_PRESET,	/* a name, or NAME@VERSION */
	ITEM_PATH,
	ITEM_PATH_RULE,	/* `-` before it: it may be missing; `=`: it alone, nothing below it; `-=` both */
	ITEM_AXIS,
	ITEM_KEY,	/* section.key */
	ITEM_VARIABLE,	/* a variable's name; `*` may stand at either end */
	ITEM_SETTING,	/* NAME=VALUE */
	ITEM_PORTS,	/* a port, or FIRST-LAST */
	ITEM_CALLS	/* a class of system calls */
};

/* What a later layer does to the list of an earlier one; every other type is replaced. */
enum key_merge { MERGE_REPLACE = 0, MERGE_APPEND };

enum key_setter { SET_BY_ANYONE = 0, SET_BY_OPERATOR /* vendor and site files only */ };

/* Which changes let the command do more: what `final` forbids to later layers. */
enum key_loosening {
	LOOSENS_NEVER = 0,
	LOOSENS_BY_CHANGE,
	LOOSENS_UPWARD,		/* a greater number, a later word */
	LOOSENS_DOWNWARD,	/* a smaller number, an earlier word */
	LOOSENS_UPWARD_OR_ZERO,	/* where 0 is no limit */
	LOOSENS_BY_ADDING,
	LOOSENS_BY_ADDING_OR_EMPTYING,	/* where an empty list is no limit */
	LOOSENS_BY_REMOVING
};

struct key {
	const char *section, *name;
	enum key_type type;
	const char *initial;	/* the built-in value, as a file would write it */
	const char *words;	/* of KEY_WORD, separated by spaces */
	enum key_item item;
	enum key_merge merge;
	enum key_setter setter;
	enum key_loosening loosening;
	uint64_t most;	/* of a number; 0: no bound */
	const char *help;
};

extern const struct key key_table[];
extern const size_t key_count;

enum { KEY_NAMES_MOST = 96, KEY_NAME_MOST = 49 };

/* The key, or NULL. */
const struct key *key_find(const char *section, const char *name);
bool key_is_section(const char *section);
/* "arm:NAME", "view:NAME" or "wrapper:NAME": a section whose keys a plugin knows. */
bool key_is_plugin_section(const char *section);
/* "grant:NAME" */
bool key_is_grant_section(const char *section);
/* The key of such a section, or NULL; they belong to no row of the table, for there may be any number. */
const struct key *key_find_of_grant(const char *name);
size_t key_names_of_grant(const char **names);
/* May a preset set it? */
bool key_is_for_presets(const struct key *key);
/* [a-z][a-z0-9-]*, at most 49 letters */
bool key_is_name(const char *text);

/* Known names into `names` (KEY_NAMES_MOST of them): the sections; the keys of a section. */
size_t key_sections(const char **names);
size_t key_names(const char *section, const char **names);
/* The section that has a key of this name, or NULL. */
const char *key_home(const char *name);

#endif

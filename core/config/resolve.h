/* config/resolve.h - laying the layers over each other, and keeping what is final. */
#ifndef CONFIG_RESOLVE_H
#define CONFIG_RESOLVE_H

#include "config/gather.h"

/* The value of every key (in the order of the table, in the arena) from the layers up to `highest`,
 * above the presets that they choose. */
int resolve_values(struct gathered *gathered, enum layer highest, struct value **ret_values,
		   struct pinfold_error *err);
/* The value of a plugin's key from the layers up to `highest`, or NULL. */
const struct assignment *resolve_plugin_key(const struct gathered *gathered, enum layer highest,
					    const char *section, const char *name);
/* Refuses values that loosen what a lower layer has made final. */
int resolve_finals(struct gathered *gathered, const struct value *values,
		   struct pinfold_error *err);
/* Does `now` let the command do more than `before`? */
bool resolve_is_looser(const struct key *key, const struct value *before, const struct value *now);

#endif

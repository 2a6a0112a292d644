/* config/item.h - what an item of a list must look like, by its kind. */
#ifndef CONFIG_ITEM_H
#define CONFIG_ITEM_H

#include "config/value.h"

int item_check(const struct key *key, const char *item, struct place at, struct pinfold_error *err);
/* `~` and `~/x` as paths below the caller's home; *ret_path is NULL where there is no home. What is
 * neither that nor absolute is an error. A `-` before an optional path stays before it. */
int item_expand(struct value_maker *maker, const struct key *key, const char *item, struct place at,
		const char **ret_path, struct pinfold_error *err);

#endif

/* config/item.h - what an item of a list must look like, by its kind. */
#ifndef CONFIG_ITEM_H
#define CONFIG_ITEM_H

#include "config/value.h"

int item_check(const struct key *key, const char *item, struct place at, struct pinfold_error *err);
/* `~` and `~/x` as paths below the caller's home; *ret_path is NULL where there is no home. What is
 * neither that nor absolute is an error. The marks before a path stay before it. */
int item_expand(struct value_maker *maker, const struct key *key, const char *item, struct place at,
		const char **ret_path, struct pinfold_error *err);
/* Marks before a path: how many bytes; what they say. */
size_t item_marks(const char *item, bool *ret_optional, bool *ret_literal);
/* "443" or "8000-8010" */
bool item_ports(const char *item, unsigned *ret_first, unsigned *ret_last);
/* The class of system calls with this name (enum pinfold_call_class), or -1. */
int item_calls(const char *item);

#endif

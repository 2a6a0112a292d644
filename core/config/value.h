/* config/value.h - a value: its text checked against the type of its key, and what it means. */
#ifndef CONFIG_VALUE_H
#define CONFIG_VALUE_H

#include "base/arena.h"
#include "base/list.h"
#include "config/keys.h"
#include "config/place.h"

struct value {
	const char *text;	/* as a file writes it, `~` expanded; of a list: NULL */
	struct list list;	/* its memory is the arena's: never released by itself */
	uint64_t number;	/* a number, bytes, nanoseconds, the place of a word */
	struct place place;
};

/* What making values needs, and what it remembers. */
struct value_maker {
	struct arena *arena;
	bool home_known;
	const char *home;	/* canonical, or NULL */
	struct list homeless;	/* items below `~` that name nothing, for want of a home (arena's) */
};

/* Each keeps `ret_value` untouched on failure; errors name `at`, the key and the text. */
int value_set(struct value_maker *maker, const struct key *key, const char *text, struct place at,
	      struct value *ret_value, struct pinfold_error *err);
/* Adds the items of `text`, separated by commas (`\,` is a comma in an item), to a list. */
int value_add(struct value_maker *maker, const struct key *key, const char *text, struct place at,
	      struct value *value, struct pinfold_error *err);
/* Appends an item that lives in the arena. */
int value_append(struct arena *arena, struct list *list, const char *item,
		 struct pinfold_error *err);
/* The value as text; a list joined by `between`. NULL when memory is gone. */
const char *value_join(struct arena *arena, const struct value *value, const char *between);
/* The caller's home, found when first asked for. NULL for none. */
const char *value_home(struct value_maker *maker);

#endif

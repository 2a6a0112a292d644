/* config/draft.h - what one file or one setting of the command line assigns, checked by itself. */
#ifndef CONFIG_DRAFT_H
#define CONFIG_DRAFT_H

#include "config/value.h"

/* Later wins. */
enum layer { LAYER_PRESET = 0, LAYER_VENDOR, LAYER_SITE, LAYER_USER, LAYER_FILE, LAYER_SETTINGS };

struct assignment {
	const struct key *key;	/* NULL in a plugin's section */
	const char *section, *name;
	struct value value;	/* in a plugin's section a list of lines, but for the host's `plugin` */
};

struct draft {
	enum layer layer;
	const char *file;
	struct assignment *assignments;
	size_t count, room;
};

/* All memory is the maker's arena. A draft that could not be read must not be used. */
int draft_read(struct draft *draft, struct value_maker *maker, const char *data, size_t bytes,
	       struct pinfold_error *err);
/* One "section.key=value"; `number` counts them from 1. */
int draft_set(struct draft *draft, struct value_maker *maker, const char *setting, unsigned number,
	      struct pinfold_error *err);

const struct assignment *draft_find(const struct draft *draft, const char *section,
				    const char *name);

#endif

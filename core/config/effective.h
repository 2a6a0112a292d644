/* config/effective.h - what a configuration consists of; for the files of this folder only. */
#ifndef CONFIG_EFFECTIVE_H
#define CONFIG_EFFECTIVE_H

#include "config/config.h"
#include "config/value.h"

#include <pthread.h>

/* A key of a plugin's section: its lines, and what they mean once the plugin's list was seen. */
struct part_value {
	const char *section, *name;
	struct value value;
	const char *meaning;
};

struct config {
	struct arena *arena;
	struct value_maker maker;
	struct value *values;	/* by key of the table */
	struct part_value *parts;
	size_t part_count;
	const char **texts;	/* by entry */
	const char *vendor, *site;	/* directories; "" for none */
	const char *hard_trouble;	/* NULL: the vendor's hard tier is there */
	pthread_mutex_t lock;	/* on `meaning` and the arena, after loading */
};

struct part_value *effective_part(const struct config *config, const char *section,
				  const char *name);

#endif

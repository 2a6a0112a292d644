/* config/section.c - the keys of a plugin's own section, checked against the plugin's list. */
#include "config/effective.h"

#include "base/fault.h"
#include "base/text.h"

#include <stdlib.h>

struct part_value *effective_part(const struct config *config, const char *section,
				  const char *name)
{
	for (size_t i = 0; i < config->part_count; i++)
		if (streq(config->parts[i].name, name) && streq(config->parts[i].section, section))
			return &config->parts[i];
	return NULL;
}

/* The next of a plugin's keys, whose structure may be larger or smaller than ours. */
static const struct pinfold_key *next_key(const struct pinfold_key *keys,
					  const struct pinfold_key *key)
{
	size_t step = keys->size ? keys->size : sizeof(*keys);
	return (const struct pinfold_key *)(const void *)((const char *)key + step);
}

static const struct pinfold_key *find_key(const struct pinfold_key *keys, const char *name)
{
	for (const struct pinfold_key *key = keys; key && key->name; key = next_key(keys, key))
		if (streq(key->name, name))
			return key;
	return NULL;
}

static int refuse_unknown(const struct part_value *part, const struct pinfold_key *keys,
			  struct pinfold_error *err)
{
	const char *names[KEY_NAMES_MOST];
	size_t count = 0;
	for (const struct pinfold_key *key = keys; key && key->name && count < KEY_NAMES_MOST;
	     key = next_key(keys, key))
		names[count++] = key->name;
	return place_fault_unknown(part->value.place, err, part->name, names, count,
				   "see the plugin's manual for its keys",
				   "there is no key `%s` in [%s]",
				   part->name, part->section);
}

/* The plugin's key as a row of our own table. */
static struct key as_row(const struct part_value *part, const struct pinfold_key *key)
{
	static const enum key_type types[] = {
		[PINFOLD_KEY_TEXT] = KEY_TEXT, [PINFOLD_KEY_FLAG] = KEY_WORD,
		[PINFOLD_KEY_NUMBER] = KEY_NUMBER, [PINFOLD_KEY_PATH] = KEY_PATH,
		[PINFOLD_KEY_LIST] = KEY_LIST, [PINFOLD_KEY_WORD] = KEY_WORD,
	};
	return (struct key){
		.section = part->section,
		.name = part->name,
		.type = key->type < N_ELEMENTS(types) ? types[key->type] : KEY_TEXT,
		.words = key->type == PINFOLD_KEY_FLAG ? "no yes" : key->words,
	};
}

static int find_meaning(struct config *config, struct part_value *part,
			const struct pinfold_key *key, struct pinfold_error *err)
{
	struct key row = as_row(part, key);
	struct value value = { .place = part->value.place };
	const struct list *lines = &part->value.list;
	if (row.type != KEY_LIST && lines->count > 1)
		return place_fault(value.place, err, "keep one of its lines",
				   "%s.%s takes one value and has %zu", part->section, part->name,
				   lines->count);
	for (size_t i = 0; i < lines->count; i++) {
		int result = row.type == KEY_LIST ? value_add(&config->maker, &row, lines->items[i],
							      value.place, &value, err)
						  : value_set(&config->maker, &row, lines->items[i],
							      value.place, &value, err);
		if (result < 0)
			return -1;
	}
	const char *meaning = value_join(config->arena, &value, "\n");
	if (!meaning)
		return fault_no_memory(err);
	part->meaning = meaning;
	return 0;
}

static int check_part(struct config *config, struct part_value *part,
		      const struct pinfold_key *keys, struct pinfold_error *err)
{
	if (part->meaning)
		return 0;
	if (streq(part->name, "plugin")) {
		part->meaning = part->value.text;
		return 0;
	}
	const struct pinfold_key *key = find_key(keys, part->name);
	return key ? find_meaning(config, part, key, err) : refuse_unknown(part, keys, err);
}

int config_check_section(const struct config *config, const char *section,
			 const struct pinfold_key *keys, struct pinfold_error *err)
{
	/* What a line means is found when its type is known; nothing that was handed out changes. */
	struct config *found = (struct config *)config;
	int result = 0;
	pthread_mutex_lock(&found->lock);
	for (size_t i = 0; i < found->part_count && result == 0; i++)
		if (streq(found->parts[i].section, section))
			result = check_part(found, &found->parts[i], keys, err);
	pthread_mutex_unlock(&found->lock);
	return result;
}

const char *config_section_value(const struct config *config, const char *section, const char *key)
{
	const struct part_value *part = effective_part(config, section, key);
	if (!part)
		return NULL;
	if (part->value.text)
		return part->value.text;
	if (!part->meaning)
		abort();
	return part->meaning;
}

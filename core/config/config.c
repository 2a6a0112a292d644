/* config/config.c - the effective configuration: every key with its value and where that comes from. */
#include "config/config.h"

#include "base/fault.h"
#include "base/text.h"
#include "config/effective.h"
#include "config/hard.h"
#include "config/resolve.h"

#include <stdlib.h>

/* Every key of a plugin's section once, with the value of the highest layer. */
static int keep_plugin_keys(struct config *config, const struct gathered *gathered,
			    struct pinfold_error *err)
{
	size_t room = 0;
	for (size_t i = 0; i < gathered->count; i++)
		room += gathered->drafts[i]->count;
	config->parts = arena_allocate(config->arena, (room + 1) * sizeof(*config->parts));
	if (!config->parts)
		return fault_no_memory(err);
	for (size_t i = 0; i < gathered->count; i++)
		for (size_t j = 0; j < gathered->drafts[i]->count; j++) {
			const struct assignment *made = &gathered->drafts[i]->assignments[j];
			if (made->key || effective_part(config, made->section, made->name))
				continue;
			made = resolve_plugin_key(gathered, LAYER_SETTINGS, made->section,
						  made->name);
			config->parts[config->part_count++] =
				(struct part_value){ made->section, made->name, made->value, NULL };
		}
	return 0;
}

/* The texts that `pinfold config` shows. */
static int keep_texts(struct config *config, struct pinfold_error *err)
{
	config->texts = arena_allocate(config->arena, (key_count + config->part_count) *
							      sizeof(*config->texts));
	if (!config->texts)
		return fault_no_memory(err);
	for (size_t i = 0; i < key_count + config->part_count; i++) {
		const struct value *value = i < key_count ? &config->values[i]
							  : &config->parts[i - key_count].value;
		config->texts[i] = value_join(config->arena, value, ", ");
		if (!config->texts[i])
			return fault_no_memory(err);
	}
	return 0;
}

static int fill(struct config *config, struct gathered *gathered,
		const struct config_sources *sources, struct pinfold_error *err)
{
	if (gather_layers(gathered, config->arena, sources, err) < 0 ||
	    hard_look(gathered, &config->hard_trouble, err) < 0 ||
	    resolve_values(gathered, LAYER_SETTINGS, &config->values, err) < 0 ||
	    resolve_finals(gathered, config->values, err) < 0 ||
	    keep_plugin_keys(config, gathered, err) < 0)
		return -1;
	return keep_texts(config, err);
}

int config_load(const struct config_sources *sources, struct config **ret_config,
		struct pinfold_error *err)
{
	struct gathered gathered = { .vendor_fd = -1, .site_fd = -1 };
	struct config *config = calloc(1, sizeof(*config));
	if (!config || !(config->arena = arena_new())) {
		free(config);
		return fault_no_memory(err);
	}
	pthread_mutex_init(&config->lock, NULL);
	int result = fill(config, &gathered, sources, err);
	config->maker = gathered.maker;
	config->vendor = gathered.vendor;
	config->site = gathered.site;
	gather_release(&gathered);
	if (result < 0)
		config_free(config);
	else
		*ret_config = config;
	return result;
}

void config_free(struct config *config)
{
	if (!config)
		return;
	pthread_mutex_destroy(&config->lock);
	arena_free(config->arena);
	free(config);
}

/* The value of a key with this type; anything else is a fault in the caller's code. */
static const struct value *value_of(const struct config *config, const char *section,
				    const char *name, unsigned types)
{
	const struct key *key = key_find(section, name);
	if (!key || !(types & 1u << key->type))
		abort();
	return &config->values[key - key_table];
}

const char *config_text(const struct config *config, const char *section, const char *key)
{
	return value_of(config, section, key, ~(1u << KEY_LIST))->text;
}

uint64_t config_number(const struct config *config, const char *section, const char *key)
{
	return value_of(config, section, key, 1u << KEY_NUMBER | 1u << KEY_SIZE | 1u << KEY_DURATION |
					     1u << KEY_SHARE)->number;
}

const struct list *config_list(const struct config *config, const char *section, const char *key)
{
	return &value_of(config, section, key, 1u << KEY_LIST)->list;
}

unsigned config_word(const struct config *config, const char *section, const char *key)
{
	return (unsigned)value_of(config, section, key, 1u << KEY_WORD)->number;
}

static bool is_first_of_section(const struct config *config, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (streq(config->parts[i].section, config->parts[index].section))
			return false;
	return true;
}

bool config_grant_at(const struct config *config, size_t index, struct config_grant *ret_grant)
{
	for (size_t i = 0; i < config->part_count; i++) {
		const char *section = config->parts[i].section;
		if (!key_is_grant_section(section) || !is_first_of_section(config, i) || index-- > 0)
			continue;
		const struct part_value *kind = effective_part(config, section, "kind");
		const struct part_value *path = effective_part(config, section, "path");
		*ret_grant = (struct config_grant){
			.name = section + strlen("grant:"),
			.kind = kind ? (unsigned)kind->value.number : 0,
			.path = path && path->value.text[0] ? path->value.text : NULL,
		};
		return true;
	}
	return false;
}

bool config_is_set(const struct config *config, const char *section, const char *key)
{
	return value_of(config, section, key, ~0u)->place.file != NULL;
}

const struct list *config_homeless(const struct config *config)
{
	return &config->maker.homeless;
}

size_t config_entry_count(const struct config *config)
{
	return key_count + config->part_count;
}

static bool is_final(const struct config *config, const char *section, const char *key)
{
	const struct list *finals = config_list(config, "pinfold", "final");
	for (size_t i = 0; i < finals->count; i++) {
		size_t length = strlen(section);
		if (starts_with(finals->items[i], section) && finals->items[i][length] == '.' &&
		    streq(finals->items[i] + length + 1, key))
			return true;
	}
	return false;
}

struct config_entry config_entry_at(const struct config *config, size_t index)
{
	struct config_entry entry = { .value = config->texts[index] };
	struct place place;
	if (index < key_count) {
		const struct key *key = &key_table[index];
		entry.section = key->section;
		entry.key = key->name;
		entry.help = key->help;
		place = config->values[index].place;
	} else {
		const struct part_value *part = &config->parts[index - key_count];
		entry.section = part->section;
		entry.key = part->name;
		entry.help = streq(part->name, "plugin") ? "the module that has this part" : NULL;
		place = part->value.place;
	}
	entry.file = place.file;
	entry.line = place.line;
	entry.final = is_final(config, entry.section, entry.key);
	return entry;
}

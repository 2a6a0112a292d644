/* policy/environment.c - the complete environment of a command, and the names kept from it.
 *
 * Every source adds its entries with a rank. Sorted by name, then rank, the first of each name is
 * what the command gets: one entry for a name, whatever the sources held.
 */
#include "config.h"

#include "policy/environment.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "base/pattern.h"
#include "base/text.h"
#include "policy/environment_rules.h"
#include "policy/jobserver.h"

#include <stdlib.h>

/* Lower wins. */
enum rank { RANK_RUN = 0, RANK_EXPLICIT, RANK_CONFIGURED, RANK_PLACE, RANK_CALLER };

struct entry {
	const char *text;	/* "NAME=value" */
	size_t name;		/* length of the name */
	enum rank rank;
	size_t order;
};

struct building {
	const struct list *allow, *drop;
	bool allow_only, keep_jobserver;
	const char *const *caller;
	struct entry *entries;
	size_t count, room;
	struct list made;	/* entries that no source holds as they are */
	struct list dropped;
};

static void release_building(struct building *building)
{
	free(building->entries);
	list_release(&building->made);
	list_release(&building->dropped);
}

/* The length of the name, or 0 where there is none that a shell or a person could read. */
static size_t name_length(const char *text)
{
	size_t length = 0;
	while (text[length] > 0x20 && text[length] < 0x7f && text[length] != '=')
		length++;
	return text[length] == '=' ? length : 0;
}

static int add(struct building *building, const char *text, enum rank rank)
{
	if (building->count == building->room) {
		size_t room = building->room ? building->room * 2 : 128;
		struct entry *entries = realloc(building->entries, room * sizeof(*entries));
		if (!entries)
			return -1;
		building->entries = entries;
		building->room = room;
	}
	building->entries[building->count] = (struct entry){
		.text = text, .name = strcspn(text, "="), .rank = rank, .order = building->count,
	};
	building->count++;
	return 0;
}

static int add_made(struct building *building, char *text, enum rank rank)
{
	if (list_add_taken(&building->made, text) < 0)
		return -1;
	return add(building, text, rank);
}

static int add_pair(struct building *building, const char *name, const char *value, enum rank rank)
{
	struct text text = { 0 };
	text_addf(&text, "%s=%s", name, value);
	return add_made(building, text_take(&text), rank);
}

static bool any_matches(const struct list *patterns, const char *name)
{
	for (size_t i = 0; i < patterns->count; i++)
		if (pattern_matches(patterns->items[i], name))
			return true;
	return false;
}

/* May the caller's variable pass? `drop` outweighs `allow`, and the run's own places neither. */
static bool passes(const struct building *building, const char *name, const char *value)
{
	enum environment_class class = environment_classify(name, value);
	if (class == ENVIRONMENT_PLACE || any_matches(building->drop, name))
		return false;
	if (any_matches(building->allow, name))
		return true;
	return building->allow_only ? environment_is_floor(name) : class == ENVIRONMENT_PLAIN;
}

static int add_from_caller(struct building *building, const char *text, enum rank rank)
{
	size_t length = name_length(text);
	if (building->keep_jobserver || !jobserver_is_announced_in(text, length))
		return add(building, text, rank);
	auto_free char *flags = jobserver_removed(text + length + 1);
	struct text made = { 0 };
	text_add_bytes(&made, text, length + 1);
	text_add(&made, flags ? flags : "");
	char *entry = text_take(&made);
	if (!flags) {
		free(entry);
		return -1;
	}
	return add_made(building, entry, rank);
}

/* Every byte before the equals sign, when the name is one that cannot be passed on. */
static int drop_unreadable(struct building *building, const char *text)
{
	size_t length = strcspn(text, "=");
	if (length == 0 || text[length] != '=')
		return 0;	/* nobody can say which part of it is a name */
	return list_add_taken(&building->dropped, strndup(text, length));
}

static int filter_one(struct building *building, const char *text)
{
	size_t length = name_length(text);
	if (length == 0)
		return drop_unreadable(building, text);
	char *name = strndup(text, length);
	if (!name)
		return -1;
	if (!passes(building, name, text + length + 1))
		return list_add_taken(&building->dropped, name);
	free(name);
	return add_from_caller(building, text, RANK_CALLER);
}

static int filter_caller(struct building *building)
{
	for (const char *const *entry = building->caller; entry && *entry; entry++)
		if (filter_one(building, *entry) < 0)
			return -1;
	return 0;
}

static int add_places(struct building *building, const struct environment_places *places)
{
	const struct {
		const char *name, *value;
		enum rank rank;
	} rows[] = {
		{ "PWD", places->directory, RANK_PLACE },
		{ "TMPDIR", places->temporary, RANK_PLACE },
		{ "TMP", places->temporary, RANK_PLACE },
		{ "TEMP", places->temporary, RANK_PLACE },
		{ "XDG_RUNTIME_DIR", places->runtime_dir, RANK_PLACE },
		{ "GIT_CEILING_DIRECTORIES", places->git_ceiling, RANK_PLACE },
		{ "PINFOLD_RUN", places->run, RANK_RUN },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++)
		if (rows[i].value &&
		    add_pair(building, rows[i].name, rows[i].value, rows[i].rank) < 0)
			return -1;
	if (!places->temporary)
		return 0;
	auto_free char *prefix = path_join(places->temporary, "zsh");
	return prefix ? add_pair(building, "TMPPREFIX", prefix, RANK_PLACE) : -1;
}

/* A bare name of an explicit setting: the caller's value, as getenv would find it; none is none. */
static int pass_through(struct building *building, const char *name, enum rank rank)
{
	size_t length = strlen(name);
	for (const char *const *entry = building->caller; entry && *entry; entry++)
		if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=')
			return add_from_caller(building, *entry, rank);
	return 0;
}

static bool is_readable_name(const char *name)
{
	size_t length = strlen(name);
	for (size_t i = 0; i < length; i++)
		if (name[i] <= 0x20 || name[i] >= 0x7f || name[i] == '=')
			return false;
	return length > 0;
}

static int add_setting(struct building *building, const char *setting, enum rank rank,
		       struct pinfold_error *err)
{
	bool named = name_length(setting) > 0;
	if (!named && !is_readable_name(setting)) {
		size_t length = strcspn(setting, "=");
		return faultf(err, rank == RANK_EXPLICIT ? PINFOLD_E_USAGE : PINFOLD_E_CONFIG, 0,
			      "set a variable of the command",
			      "write NAME=value, or NAME to pass the caller's value on",
			      "the name \"%.*s\"", (int)(length < 200 ? length : 200), setting);
	}
	int done = named ? add(building, setting, rank) : pass_through(building, setting, rank);
	return done < 0 ? fault_no_memory(err) : 0;
}

static int add_settings(struct building *building, const char *const *settings, enum rank rank,
			struct pinfold_error *err)
{
	for (; settings && *settings; settings++)
		if (add_setting(building, *settings, rank, err) < 0)
			return -1;
	return 0;
}

static int check_patterns(const struct list *patterns, const char *key, struct pinfold_error *err)
{
	for (size_t i = 0; i < patterns->count; i++)
		if (!is_readable_name(patterns->items[i]))
			return faultf(err, PINFOLD_E_CONFIG, 0, "read the names of variables",
				      "list names alone; a star stands for any letters",
				      "[environment] %s: \"%s\"", key, patterns->items[i]);
	return 0;
}

static int compare_names(const struct entry *a, const struct entry *b)
{
	size_t shorter = a->name < b->name ? a->name : b->name;
	int order = memcmp(a->text, b->text, shorter);
	return order ? order : (a->name > b->name) - (a->name < b->name);
}

/* The caller's first entry of a name counts, as for getenv; of explicit settings the last. */
static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int names = compare_names(a, b);
	if (names)
		return names;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	int earlier = a->order < b->order ? -1 : 1;
	return a->rank == RANK_CALLER ? earlier : -earlier;
}

static int take_winners(struct building *building, struct list *variables)
{
	if (building->count > 0)
		qsort(building->entries, building->count, sizeof(struct entry), compare_entries);
	for (size_t i = 0; i < building->count; i++) {
		if (i > 0 && compare_names(&building->entries[i - 1], &building->entries[i]) == 0)
			continue;
		if (list_add(variables, building->entries[i].text) < 0)
			return -1;
	}
	return 0;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_set(const struct list *variables, const char *name)
{
	size_t length = strlen(name);
	for (size_t i = 0; i < variables->count; i++)
		if (strncmp(variables->items[i], name, length) == 0 &&
		    variables->items[i][length] == '=')
			return true;
	return false;
}

/* Each name once, without those that the command got from elsewhere. */
static int take_dropped(struct building *building, const struct list *variables,
			struct list *dropped)
{
	struct list *all = &building->dropped;
	if (all->count > 0)
		qsort(all->items, all->count, sizeof(*all->items), compare_texts);
	for (size_t i = 0; i < all->count; i++) {
		bool again = i > 0 && streq(all->items[i - 1], all->items[i]);
		if (!again && !is_set(variables, all->items[i]) &&
		    list_add(dropped, all->items[i]) < 0)
			return -1;
	}
	return 0;
}

static int gather(struct building *building, const struct config *config,
		  const char *const *explicit_settings, const struct environment_places *places,
		  struct pinfold_error *err)
{
	const struct list *set = config_list(config, "environment", "set");
	if (check_patterns(building->allow, "allow", err) < 0 ||
	    check_patterns(building->drop, "drop", err) < 0)
		return -1;
	if (filter_caller(building) < 0 || add_places(building, places) < 0)
		return fault_no_memory(err);
	if (add_settings(building, (const char *const *)set->items, RANK_CONFIGURED, err) < 0)
		return -1;
	return add_settings(building, explicit_settings, RANK_EXPLICIT, err);
}

int environment_build(const struct config *config, const char *const *caller,
		      const char *const *explicit_settings, const struct environment_places *places,
		      struct environment *ret_environment, struct pinfold_error *err)
{
	struct building building = {
		.allow = config_list(config, "environment", "allow"),
		.drop = config_list(config, "environment", "drop"),
		.allow_only = streq(config_text(config, "environment", "mode"), "allowlist"),
		.keep_jobserver = places->keep_jobserver,
		.caller = caller,
	};
	struct environment environment = { 0 };
	int result = gather(&building, config, explicit_settings, places, err);
	if (result == 0 && (take_winners(&building, &environment.variables) < 0 ||
			    take_dropped(&building, &environment.variables,
					 &environment.dropped) < 0))
		result = fault_no_memory(err);
	release_building(&building);
	if (result < 0)
		environment_release(&environment);
	else
		*ret_environment = environment;
	return result;
}

void environment_release(struct environment *environment)
{
	list_release(&environment->variables);
	list_release(&environment->dropped);
}

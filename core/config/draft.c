/* config/draft.c - what one file or one setting of the command line assigns, checked by itself. */
#include "config/draft.h"

#include "base/fault.h"
#include "base/text.h"
#include "config/lines.h"

struct drafting {
	struct draft *draft;
	struct value_maker *maker;
	struct place place;
};

const struct assignment *draft_find(const struct draft *draft, const char *section,
				    const char *name)
{
	for (size_t i = 0; i < draft->count; i++)
		if (streq(draft->assignments[i].name, name) &&
		    streq(draft->assignments[i].section, section))
			return &draft->assignments[i];
	return NULL;
}

static int add_assignment(struct drafting *drafting, struct assignment made,
			  struct pinfold_error *err)
{
	struct draft *draft = drafting->draft;
	struct arena *arena = drafting->maker->arena;
	if (draft->count == draft->room) {
		size_t room = draft->room ? draft->room * 2 : 8;
		struct assignment *more = arena_allocate(arena, room * sizeof(*more));
		if (!more)
			return fault_no_memory(err);
		if (draft->count > 0)
			memcpy(more, draft->assignments, draft->count * sizeof(*more));
		draft->assignments = more;
		draft->room = room;
	}
	if (!made.key) {
		made.section = arena_copy(arena, made.section);
		made.name = arena_copy(arena, made.name);
		if (!made.section || !made.name)
			return fault_no_memory(err);
	}
	draft->assignments[draft->count++] = made;
	return 0;
}

static int check_section(void *context, const char *section, struct pinfold_error *err)
{
	const struct drafting *drafting = context;
	bool named = key_is_plugin_section(section) || key_is_grant_section(section);
	if (key_is_section(section) || (named && drafting->draft->layer != LAYER_PRESET))
		return 0;
	const char *names[KEY_NAMES_MOST];
	return place_fault_unknown(drafting->place, err, section, names, key_sections(names),
				   "`pinfold config` lists every section",
				   "there is no section [%s]%s", section,
				   drafting->draft->layer == LAYER_PRESET ? " in presets" : "");
}

static int refuse_unknown(const struct drafting *drafting, const char *section, const char *name,
			  struct pinfold_error *err)
{
	const char *names[KEY_NAMES_MOST], *home = key_home(name);
	if (home)
		return place_fault_unknown(drafting->place, err, name, NULL, 0,
					   "put it below the section that it belongs to",
					   "`%s` is a key of [%s], not of [%s]", name, home,
					   section);
	return place_fault_unknown(drafting->place, err, name, names, key_names(section, names),
				   "`pinfold config` lists every key",
				   "there is no key `%s` in [%s]",
				   name, section);
}

static int check_setter(const struct drafting *drafting, const struct key *key,
			struct pinfold_error *err)
{
	enum layer layer = drafting->draft->layer;
	if (layer == LAYER_PRESET && !key_is_for_presets(key))
		return place_fault(drafting->place, err, "set it in a configuration file",
				   "%s.%s cannot be set by a preset", key->section, key->name);
	if (key->setter == SET_BY_OPERATOR && layer != LAYER_VENDOR && layer != LAYER_SITE)
		return place_fault(drafting->place, err,
				   "ask the administrator to set it in the site's files",
				   "%s.%s can be set by vendor and site files only", key->section,
				   key->name);
	return 0;
}

static int refuse_second(const struct drafting *drafting, const struct assignment *first,
			 bool continued, struct pinfold_error *err)
{
	if (continued)
		return place_fault(drafting->place, err, "remove the space at the start of the line",
				   "%s.%s takes one value, and this line continues it",
				   first->section,
				   first->name);
	return place_fault(drafting->place, err, "remove one of the two lines",
			   "%s.%s is set a second time, after line %u", first->section, first->name,
			   first->value.place.line);
}

/* A key of the table, or the host's own key of a plugin's section. */
static int assign(struct drafting *drafting, const struct key *key, const char *value,
		  bool continued, struct assignment made, struct pinfold_error *err)
{
	struct assignment *first =
		(struct assignment *)draft_find(drafting->draft, made.section, made.name);
	if (key->type == KEY_LIST) {
		struct value *list = first ? &first->value : &made.value;
		if (value_add(drafting->maker, key, value, drafting->place, list, err) < 0)
			return -1;
	} else if (first) {
		return refuse_second(drafting, first, continued, err);
	} else if (value_set(drafting->maker, key, value, drafting->place, &made.value, err) < 0) {
		return -1;
	}
	return first ? 0 : add_assignment(drafting, made, err);
}

/* A line of a plugin's section is kept as it is: only the plugin knows its type. */
static int assign_to_plugin(struct drafting *drafting, const char *section, const char *name,
			    const char *value, bool continued, struct pinfold_error *err)
{
	static const struct key line = { .type = KEY_TEXT };
	struct key of_host = { section, "plugin", KEY_TEXT, .item = ITEM_NAME,
			       .setter = SET_BY_OPERATOR };
	struct assignment made = { NULL, section, name, { .place = drafting->place } };
	if (streq(name, "plugin"))
		return check_setter(drafting, &of_host, err) < 0
			       ? -1
			       : assign(drafting, &of_host, value, continued, made, err);
	if (!key_is_name(name))
		return place_fault(drafting->place, err, "write small letters, digits, and `-`",
				   "`%s` in [%s] is not the name of a key", name, section);
	struct assignment *first =
		(struct assignment *)draft_find(drafting->draft, section, name);
	struct value kept;
	if (value_set(drafting->maker, &line, value, drafting->place, &kept, err) < 0 ||
	    value_append(drafting->maker->arena, &(first ? first : &made)->value.list, kept.text,
			 err) < 0)
		return -1;
	return first ? 0 : add_assignment(drafting, made, err);
}

/* Kept apart from the table's, as a plugin's are: there may be any number of grants. */
static int assign_to_grant(struct drafting *drafting, const char *section, const char *name,
			   const char *value, bool continued, struct pinfold_error *err)
{
	const char *names[KEY_NAMES_MOST];
	const struct key *row = key_find_of_grant(name);
	if (!row)
		return place_fault_unknown(drafting->place, err, name, names, key_names_of_grant(names),
					   "a grant has a kind, and may have a path",
					   "there is no key `%s` in [%s]", name, section);
	struct key key = *row;
	key.section = section;
	struct assignment made = { NULL, section, name, { .place = drafting->place } };
	return assign(drafting, &key, value, continued, made, err);
}

/* Does a continued line look like a key of its own, indented by mistake? */
static bool looks_like_key(const char *section, const char *text)
{
	char name[KEY_NAME_MOST + 1];
	size_t length = strcspn(text, " \t=:"), after = length + strspn(text + length, " \t");
	if (length == 0 || length >= sizeof(name) || (text[after] != '=' && text[after] != ':'))
		return false;
	memcpy(name, text, length);
	name[length] = '\0';
	return key_is_plugin_section(section) ? key_is_name(name) : key_home(name) != NULL;
}

static int take_entry(void *context, const char *section, const char *name, const char *value,
		      bool continued, struct pinfold_error *err)
{
	struct drafting *drafting = context;
	if (continued && looks_like_key(section, value))
		return place_fault(drafting->place, err, "remove the space at the start of the line",
				   "an indented line continues the value of `%s`: %s", name, value);
	if (key_is_plugin_section(section))
		return assign_to_plugin(drafting, section, name, value, continued, err);
	if (key_is_grant_section(section))
		return assign_to_grant(drafting, section, name, value, continued, err);
	const struct key *key = key_find(section, name);
	if (!key)
		return refuse_unknown(drafting, section, name, err);
	if (check_setter(drafting, key, err) < 0)
		return -1;
	struct assignment made = { key, key->section, key->name, { .place = drafting->place } };
	return assign(drafting, key, value, continued, made, err);
}

int draft_read(struct draft *draft, struct value_maker *maker, const char *data, size_t bytes,
	       struct pinfold_error *err)
{
	static const struct lines_sink sink = { check_section, take_entry };
	struct drafting drafting = { draft, maker, { draft->file, 0 } };
	return lines_parse(data, bytes, &drafting.place, &sink, &drafting, err);
}

static char *trim(char *text)
{
	char *end = text + strlen(text);
	while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = '\0';
	return text + strspn(text, " \t");
}

int draft_set(struct draft *draft, struct value_maker *maker, const char *setting, unsigned number,
	      struct pinfold_error *err)
{
	struct drafting drafting = { draft, maker, { draft->file, number } };
	char *section = arena_copy(maker->arena, setting);
	if (!section)
		return fault_no_memory(err);
	char *value = strchr(section, '='), *name = NULL;
	if (value) {
		*value++ = '\0';
		name = strrchr(section, '.');
	}
	if (!name)
		return place_fault(drafting.place, err,
				   "write SECTION.KEY=VALUE, such as network.mode=none",
				   "`%s` names no key", setting);
	*name++ = '\0';
	for (const char *at = value; *at; at++)
		if (!lines_allow((unsigned char)*at))
			return place_fault(drafting.place, err, "leave it out",
					   "%s.%s: the control character 0x%02x", section, name,
					   (unsigned char)*at);
	section = trim(section);
	if (check_section(&drafting, section, err) < 0)
		return -1;
	return take_entry(&drafting, section, trim(name), trim(value), false, err);
}

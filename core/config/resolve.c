/* config/resolve.c - laying the layers over each other, and keeping what is final. */
#include "config/resolve.h"

#include "base/fault.h"
#include "base/text.h"

static const struct key *key_named(const char *name)
{
	return key_find("pinfold", name);
}

static int set_initial(struct gathered *gathered, struct value *values, struct pinfold_error *err)
{
	static const struct place built_in = { NULL, 0 };
	for (size_t i = 0; i < key_count; i++) {
		const struct key *key = &key_table[i];
		int result = key->type == KEY_LIST
				     ? value_add(&gathered->maker, key, key->initial, built_in,
						 &values[i], err)
				     : value_set(&gathered->maker, key, key->initial, built_in,
						 &values[i], err);
		if (result < 0)
			return -1;
	}
	return 0;
}

static int append_list(struct arena *arena, struct value *value, const struct value *more,
		       struct pinfold_error *err)
{
	char before[256];
	if (value->list.count == 0) {
		*value = *more;
		return 0;
	}
	if (more->list.count == 0)
		return place_fault(more->place, err, "remove this line",
				   "the list is set to nothing, but what lower layers add stays: %s",
				   place_name(value->place, before, sizeof(before)));
	/* The lower layer's draft keeps its own list: it may be laid again. */
	struct list list = { .room = value->list.count + more->list.count + 1 };
	list.items = arena_allocate(arena, list.room * sizeof(*list.items));
	if (!list.items)
		return fault_no_memory(err);
	for (size_t i = 0; i < value->list.count; i++)
		list.items[list.count++] = value->list.items[i];
	struct list_index known;
	if (list_index(&value->list, &known) < 0)
		return fault_no_memory(err);
	for (size_t i = 0; i < more->list.count; i++)
		if (!list_index_has(&known, more->list.items[i]))
			list.items[list.count++] = more->list.items[i];
	list_index_release(&known);
	value->list = list;
	value->place = more->place;
	return 0;
}

static int lay(struct arena *arena, const struct draft *draft, struct value *values,
	       struct pinfold_error *err)
{
	for (size_t i = 0; i < draft->count; i++) {
		const struct assignment *made = &draft->assignments[i];
		if (!made->key)
			continue;
		struct value *value = &values[made->key - key_table];
		if (made->key->merge == MERGE_REPLACE)
			*value = made->value;
		else if (append_list(arena, value, &made->value, err) < 0)
			return -1;
	}
	return 0;
}

static int lay_presets(struct gathered *gathered, enum layer highest, struct value *values,
		       struct pinfold_error *err)
{
	const struct key *key = key_named("preset");
	const struct value *chosen = &values[key - key_table];
	for (size_t i = 0; i < gathered->count; i++) {
		const struct assignment *made = draft_find(gathered->drafts[i], "pinfold", "preset");
		if (made && gathered->drafts[i]->layer <= highest)
			chosen = &made->value;
	}
	for (size_t i = 0; i < chosen->list.count; i++) {
		const struct draft *preset;
		if (gather_preset(gathered, chosen->list.items[i], chosen->place, &preset,
				  err) < 0 ||
		    lay(gathered->maker.arena, preset, values, err) < 0)
			return -1;
	}
	return 0;
}

int resolve_values(struct gathered *gathered, enum layer highest, struct value **ret_values,
		   struct pinfold_error *err)
{
	struct arena *arena = gathered->maker.arena;
	struct value *values = arena_allocate(arena, key_count * sizeof(*values));
	if (!values)
		return fault_no_memory(err);
	if (set_initial(gathered, values, err) < 0 ||
	    lay_presets(gathered, highest, values, err) < 0)
		return -1;
	for (size_t i = 0; i < gathered->count; i++)
		if (gathered->drafts[i]->layer <= highest &&
		    lay(arena, gathered->drafts[i], values, err) < 0)
			return -1;
	*ret_values = values;
	return 0;
}

const struct assignment *resolve_plugin_key(const struct gathered *gathered, enum layer highest,
					    const char *section, const char *name)
{
	for (size_t i = gathered->count; i-- > 0;) {
		const struct draft *draft = gathered->drafts[i];
		const struct assignment *made =
			draft->layer <= highest ? draft_find(draft, section, name) : NULL;
		if (made)
			return made;
	}
	return NULL;
}

/* Not, where memory is gone: what is final is then not let go. */
static bool has_all(const struct list *list, const struct list *wanted)
{
	struct list_index index;
	if (list_index(list, &index) < 0)
		return false;
	size_t found = 0;
	while (found < wanted->count && list_index_has(&index, wanted->items[found]))
		found++;
	list_index_release(&index);
	return found == wanted->count;
}

static bool is_same(const struct value *a, const struct value *b)
{
	if (a->text && b->text)
		return streq(a->text, b->text);
	if (a->text || b->text || a->list.count != b->list.count)
		return false;
	for (size_t i = 0; i < a->list.count; i++)
		if (!streq(a->list.items[i], b->list.items[i]))
			return false;
	return true;
}

bool resolve_is_looser(const struct key *key, const struct value *before, const struct value *now)
{
	switch (key->loosening) {
	case LOOSENS_NEVER:
		return false;
	case LOOSENS_BY_CHANGE:
		return !is_same(before, now);
	case LOOSENS_UPWARD:
		return now->number > before->number;
	case LOOSENS_DOWNWARD:
		return now->number < before->number;
	case LOOSENS_UPWARD_OR_ZERO:
		return before->number != 0 && (now->number == 0 || now->number > before->number);
	case LOOSENS_BY_ADDING:
		return !has_all(&before->list, &now->list);
	case LOOSENS_BY_ADDING_OR_EMPTYING:
		return before->list.count > 0 &&
		       (now->list.count == 0 || !has_all(&before->list, &now->list));
	case LOOSENS_BY_REMOVING:
		return !has_all(&now->list, &before->list);
	}
	return true;
}

/* One layer's finals: what they bind, and to which values. */
struct binding {
	struct gathered *gathered;
	enum layer layer;
	const struct value *bound, *values;
	struct place place;	/* of the line `final` */
};

/* The line that a person would have to take back: the last above the layer that sets the key, or
 * else the one that chose other presets. */
static struct place place_of_change(const struct binding *binding, const char *section,
				    const char *name)
{
	const struct gathered *gathered = binding->gathered;
	for (size_t i = gathered->count; i-- > 0 && gathered->drafts[i]->layer > binding->layer;) {
		const struct assignment *made = draft_find(gathered->drafts[i], section, name);
		if (made)
			return made->value.place;
	}
	return binding->values[key_named("preset") - key_table].place;
}

static bool is_loosened(const struct binding *binding, const char *section, const char *name)
{
	const struct key *key = key_find(section, name);
	if (key)
		return resolve_is_looser(key, &binding->bound[key - key_table],
					 &binding->values[key - key_table]);
	const struct assignment *before =
		resolve_plugin_key(binding->gathered, binding->layer, section, name);
	const struct assignment *now =
		resolve_plugin_key(binding->gathered, LAYER_SETTINGS, section, name);
	return now && (!before || !is_same(&before->value, &now->value));
}

static int check_final(const struct binding *binding, const char *item, struct pinfold_error *err)
{
	char place[sizeof(err->subject) / 2];
	char *section = arena_copy(binding->gathered->maker.arena, item);
	if (!section)
		return fault_no_memory(err);
	char *name = strrchr(section, '.');
	*name++ = '\0';
	if (!is_loosened(binding, section, name))
		return 0;
	return place_fault(place_of_change(binding, section, name), err,
			   "take the change back, or ask the administrator",
			   "it loosens %s, which is final by %s", item,
			   place_name(binding->place, place, sizeof(place)));
}

static int check_finals(struct binding *binding, const struct list *items,
			struct pinfold_error *err)
{
	struct value *bound = NULL;
	if (!binding->bound && resolve_values(binding->gathered, binding->layer, &bound, err) < 0)
		return -1;
	if (bound)
		binding->bound = bound;
	for (size_t i = 0; i < items->count; i++)
		if (check_final(binding, items->items[i], err) < 0)
			return -1;
	return 0;
}

int resolve_finals(struct gathered *gathered, const struct value *values, struct pinfold_error *err)
{
	struct binding binding = { gathered, LAYER_VENDOR, NULL, values, { NULL, 0 } };
	for (size_t i = 0; i < gathered->count; i++) {
		const struct draft *draft = gathered->drafts[i];
		const struct assignment *made = draft_find(draft, "pinfold", "final");
		if (!made)
			continue;
		if (draft->layer != binding.layer)
			binding.bound = NULL;
		binding.layer = draft->layer;
		binding.place = made->value.place;
		if (check_finals(&binding, &made->value.list, err) < 0)
			return -1;
	}
	return 0;
}

/* config/value.c - a value: its text checked against the type of its key, and what it means. */
#include "config/value.h"

#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"
#include "config/item.h"

#include <stdio.h>
#include <stdlib.h>

const char *value_home(struct value_maker *maker)
{
	if (!maker->home_known) {
		char *home = path_home();
		maker->home = home ? arena_copy(maker->arena, home) : NULL;
		maker->home_known = true;
		free(home);
	}
	return maker->home;
}

int value_append(struct arena *arena, struct list *list, const char *item,
		 struct pinfold_error *err)
{
	if (list->count + 2 > list->room) {
		size_t room = list->room ? list->room * 2 : 8;
		char **items = arena_allocate(arena, room * sizeof(*items));
		if (!items)
			return fault_no_memory(err);
		if (list->count > 0)
			memcpy(items, list->items, list->count * sizeof(*items));
		list->items = items;
		list->room = room;
	}
	list->items[list->count++] = (char *)item;
	list->items[list->count] = NULL;
	return 0;
}

const char *value_join(struct arena *arena, const struct value *value, const char *between)
{
	if (value->text)
		return value->text;
	size_t bytes = 1;
	for (size_t i = 0; i < value->list.count; i++)
		bytes += strlen(value->list.items[i]) + strlen(between);
	char *joined = arena_allocate(arena, bytes), *to = joined;
	for (size_t i = 0; joined && i < value->list.count; i++) {
		to = stpcpy(to, i > 0 ? between : "");
		to = stpcpy(to, value->list.items[i]);
	}
	return joined;
}

/* Digits and a unit: *ret_number, or false. `units` ends with a NULL name. */
struct unit {
	const char *name;
	uint64_t factor;
};

static bool read_quantity(const char *text, const struct unit *units, uint64_t *ret_number)
{
	uint64_t number = 0;
	const char *at = text;
	for (; *at >= '0' && *at <= '9'; at++)
		if (__builtin_mul_overflow(number, 10u, &number) ||
		    __builtin_add_overflow(number, (uint64_t)(*at - '0'), &number))
			return false;
	if (at == text)
		return false;
	for (; units->name; units++)
		if (streq(units->name, at))
			return !__builtin_mul_overflow(number, units->factor, ret_number);
	*ret_number = number;
	return number == 0 && *at == '\0';
}

/* Digits, and at most two after a point: *ret_number in hundredths, or false. */
static bool read_share(const char *text, uint64_t *ret_number)
{
	static const struct unit hundreds[] = { { "", 100 }, { NULL, 0 } };
	char whole[8];	/* nothing has ten million of what is shared */
	size_t length = strcspn(text, ".");
	const char *rest = text + length;
	if (length >= sizeof(whole))
		return false;
	memcpy(whole, text, length);
	whole[length] = '\0';
	if (!read_quantity(whole, hundreds, ret_number))
		return false;
	if (*rest == '\0')
		return true;
	size_t digits = strspn(rest + 1, "0123456789");
	if (digits < 1 || digits > 2 || rest[1 + digits] != '\0')
		return false;
	uint64_t part = (uint64_t)(rest[1] - '0') * 10 + (digits == 2 ? (uint64_t)(rest[2] - '0') : 0);
	return !__builtin_add_overflow(*ret_number, part, ret_number);
}

static const struct unit plain[] = { { "", 1 }, { NULL, 0 } };
static const struct unit sizes[] = {
	{ "", 1 },
	{ "K", UINT64_C(1) << 10 },
	{ "M", UINT64_C(1) << 20 },
	{ "G", UINT64_C(1) << 30 },
	{ "T", UINT64_C(1) << 40 },
	{ NULL, 0 },
};
static const struct unit durations[] = {
	{ "", UINT64_C(1000000000) },
	{ "ms", 1000000u },
	{ "s", UINT64_C(1000000000) },
	{ "m", UINT64_C(60000000000) },
	{ "h", UINT64_C(3600000000000) },
	{ NULL, 0 },
};

/* How each type of quantity is written. */
static const struct quantity {
	const struct unit *units;
	const char *what, *recovery;
} quantities[] = {
	[KEY_NUMBER] = { plain, "a number", "write digits only, such as 100" },
	[KEY_SIZE] = { sizes, "a size",
		       "write a number of bytes, or one with K, M, G, or T, such as 256M" },
	[KEY_DURATION] = { durations, "a duration",
			   "write a number of seconds, or one with ms, s, m, or h, such as 90s" },
	[KEY_SHARE] = { NULL, "a share", "write a number, with at most two digits after a point, such as 1.5" },
};

static int set_quantity(const struct key *key, const char *text, struct place at,
			struct value *value, struct pinfold_error *err)
{
	const struct quantity *quantity = &quantities[key->type];
	bool read = quantity->units ? read_quantity(text, quantity->units, &value->number) :
				      read_share(text, &value->number);
	if (!read)
		return place_fault(at, err, quantity->recovery, "%s.%s: `%s` is not %s",
				   key->section,
				   key->name, text, quantity->what);
	if (key->most > 0 && value->number > key->most)
		return place_fault(at, err, "write a smaller number", "%s.%s: %s is more than %llu",
				   key->section, key->name, text, (unsigned long long)key->most);
	return 0;
}

enum { WORDS_MOST = 16, WORDS_ROOM = 256 };

static int set_word(const struct key *key, const char *text, struct place at, struct value *value,
		    struct pinfold_error *err)
{
	char room[WORDS_ROOM], list[WORDS_ROOM + sizeof("it is one of: ")], *rest = NULL;
	const char *words[WORDS_MOST];
	size_t count = 0;
	snprintf(room, sizeof(room), "%s", key->words ? key->words : "");
	snprintf(list, sizeof(list), "it is one of: %s", room);
	for (char *word = strtok_r(room, " ", &rest); word && count < WORDS_MOST;
	     word = strtok_r(NULL, " ", &rest)) {
		if (streq(word, text)) {
			value->number = count;
			return 0;
		}
		words[count++] = word;
	}
	return place_fault_unknown(at, err, text, words, count, list, "%s.%s: there is no `%s`",
				   key->section, key->name, text);
}

static int set_path(struct value_maker *maker, const struct key *key, const char *text,
		    struct place at, struct value *value, struct pinfold_error *err)
{
	const char *path = text;
	if (*text && item_expand(maker, key, text, at, &path, err) < 0)
		return -1;
	if (!path)
		return place_fault(at, err, "set HOME, or write an absolute path",
				   "%s.%s: there is no home for `%s`", key->section, key->name,
				   text);
	value->text = path;
	return 0;
}

int value_set(struct value_maker *maker, const struct key *key, const char *text, struct place at,
	      struct value *ret_value, struct pinfold_error *err)
{
	struct value value = { .text = arena_copy(maker->arena, text), .place = at };
	int result = 0;
	if (!value.text)
		return fault_no_memory(err);
	if (key->type == KEY_PATH)
		result = set_path(maker, key, value.text, at, &value, err);
	else if (key->type == KEY_WORD)
		result = set_word(key, value.text, at, &value, err);
	else if (key->type != KEY_TEXT)
		result = set_quantity(key, value.text, at, &value, err);
	else if (*value.text)
		result = item_check(key, value.text, at, err);
	if (result == 0)
		*ret_value = value;
	return result;
}

/* Up to the comma that ends the item; *ret_escaped: there are others before it. */
static size_t item_length(const char *text, bool *ret_escaped)
{
	const char *comma = strchr(text, ',');
	*ret_escaped = comma && comma > text && comma[-1] == '\\';
	if (!*ret_escaped)
		return comma ? (size_t)(comma - text) : strlen(text);
	size_t length = 0;
	while (text[length] && text[length] != ',')
		length += text[length] == '\\' && text[length + 1] == ',' ? 2 : 1;
	return length;
}

/* Copies the next item of `*at`, without the blanks around it; NULL when memory is gone. */
static char *take_item(struct arena *arena, const char **at)
{
	bool escaped;
	const char *from = *at + strspn(*at, " \t");
	const char *end = from + item_length(from, &escaped);
	char *item = arena_allocate(arena, (size_t)(end - from) + 1), *to = item;
	*at = *end ? end + 1 : end;
	if (!item)
		return NULL;
	while (end > from && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	if (!escaped)
		return memcpy(item, from, (size_t)(end - from));
	while (from < end) {
		if (from[0] == '\\' && from[1] == ',')
			from++;
		*to++ = *from++;
	}
	return item;
}

int value_add(struct value_maker *maker, const struct key *key, const char *text, struct place at,
	      struct value *value, struct pinfold_error *err)
{
	while (*text) {
		const char *item = take_item(maker->arena, &text);
		if (!item)
			return fault_no_memory(err);
		if (*item == '\0')
			continue;
		const char *written = item;
		bool path = key->item == ITEM_PATH || key->item == ITEM_PATH_RULE;
		if (path && item_expand(maker, key, written, at, &item, err) < 0)
			return -1;
		if (!path && item_check(key, item, at, err) < 0)
			return -1;
		struct list *list = item ? &value->list : &maker->homeless;
		if (value_append(maker->arena, list, item ? item : written, err) < 0)
			return -1;
	}
	return 0;
}

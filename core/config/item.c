/* config/item.c - what an item of a list must look like, by its kind. */
#include "config/item.h"

#include "base/fault.h"
#include "base/text.h"

#include <pinfold/arm.h>

static int refuse(const struct key *key, const char *item, const char *what, const char *recovery,
		  struct place at, struct pinfold_error *err)
{
	return place_fault(at, err, recovery, "%s.%s: `%s` is not %s", key->section, key->name, item,
			   what);
}

static int check_name(const struct key *key, const char *item, struct place at,
		      struct pinfold_error *err)
{
	if (key_is_name(item))
		return 0;
	return refuse(key, item, "a name",
		      "write small letters, digits, and `-`, no path and no ending",
		      at, err);
}

static int check_preset(const struct key *key, const char *item, struct place at,
			struct pinfold_error *err)
{
	char name[KEY_NAME_MOST + 1];
	const char *mark = strchr(item, '@');
	size_t length = mark ? (size_t)(mark - item) : strlen(item);
	if (mark && (mark[1] < '1' || mark[1] > '9' || mark[1 + strspn(mark + 1, "0123456789")] != '\0'))
		length = sizeof(name);
	if (length >= sizeof(name))
		return refuse(key, item, "a preset", "write a name, or a name and its version, such as build@1", at,
			      err);
	memcpy(name, item, length);
	name[length] = '\0';
	return check_name(key, name, at, err);
}

static int check_axis(const struct key *key, const char *item, struct place at,
		      struct pinfold_error *err)
{
	static const char *const axes[] = {
#define AXIS_NAME(NAME, name, kept, noun) name,
		PINFOLD_AXES(AXIS_NAME)
#undef AXIS_NAME
	};
	for (size_t i = 0; i < N_ELEMENTS(axes); i++)
		if (streq(axes[i], item))
			return 0;
	return place_fault_unknown(at, err, item, axes, N_ELEMENTS(axes),
				   "`pinfold probe` shows every promise",
				   "%s.%s: there is no promise `%s`",
				   key->section, key->name, item);
}

static int check_key(const struct key *key, const char *item, struct place at,
		     struct pinfold_error *err)
{
	static const char otherwise[] = "name keys as section.key; `pinfold config` lists them";
	const char *names[KEY_NAMES_MOST];
	char section[KEY_NAME_MOST + 16];
	const char *dot = strrchr(item, '.');
	if (!dot || (size_t)(dot - item) >= sizeof(section))
		return refuse(key, item, "a key", otherwise, at, err);
	memcpy(section, item, (size_t)(dot - item));
	section[dot - item] = '\0';
	if (key_find(section, dot + 1) || (key_is_plugin_section(section) && key_is_name(dot + 1)))
		return 0;
	return place_fault_unknown(at, err, dot + 1, names, key_names(section, names), otherwise,
				   "%s.%s: there is no key `%s`", key->section, key->name, item);
}

static bool is_variable(const char *name, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (name[i] <= ' ' || name[i] > '~' || strchr("=*\"'\\$", name[i]))
			return false;
	return length > 0;
}

static int check_variable(const struct key *key, const char *item, struct place at,
			  struct pinfold_error *err)
{
	size_t length = strlen(item), start = item[0] == '*';
	size_t end = length > 1 && item[length - 1] == '*' ? length - 1 : length;
	if (is_variable(item + start, end - start))
		return 0;
	return refuse(key, item, "the name of a variable",
		      "write a name, with `*` at its start or end for any letters", at, err);
}

static int check_setting(const struct key *key, const char *item, struct place at,
			 struct pinfold_error *err)
{
	const char *equals = strchr(item, '=');
	if (equals && is_variable(item, (size_t)(equals - item)))
		return 0;
	return refuse(key, item, "NAME=VALUE",
		      "write NAME=VALUE; a comma in the value is written `\\,`",
		      at, err);
}

/* Digits of a port up to `end`: 0 where they are none. */
static unsigned long port_number(const char *text, const char *end)
{
	unsigned long number = 0;
	for (; text < end && *text >= '0' && *text <= '9' && number <= 65535; text++)
		number = number * 10 + (unsigned long)(*text - '0');
	return text == end && number <= 65535 ? number : 0;
}

bool item_ports(const char *item, unsigned *ret_first, unsigned *ret_last)
{
	const char *end = item + strlen(item), *dash = strchr(item, '-');
	unsigned long first = port_number(item, dash ? dash : end);
	unsigned long last = dash ? port_number(dash + 1, end) : first;
	*ret_first = (unsigned)first;
	*ret_last = (unsigned)last;
	return first > 0 && last >= first;
}

static int check_ports(const struct key *key, const char *item, struct place at,
		       struct pinfold_error *err)
{
	unsigned first, last;
	if (item_ports(item, &first, &last))
		return 0;
	return refuse(key, item, "a port, or a range of ports",
		      "write a number from 1 to 65535, or two such as 8000-8010", at, err);
}

static const char *const call_names[] = {
#define CALL_NAME(NAME, name, what) name,
	PINFOLD_CALLS(CALL_NAME)
#undef CALL_NAME
};

int item_calls(const char *item)
{
	for (size_t i = 0; i < N_ELEMENTS(call_names); i++)
		if (streq(call_names[i], item))
			return (int)i;
	return -1;
}

static int check_calls(const struct key *key, const char *item, struct place at,
		       struct pinfold_error *err)
{
	if (item_calls(item) >= 0)
		return 0;
	return place_fault_unknown(at, err, item, call_names, N_ELEMENTS(call_names),
				   "pinfold.conf(5) lists every class",
				   "%s.%s: there is no class of system calls `%s`", key->section, key->name,
				   item);
}

int item_check(const struct key *key, const char *item, struct place at, struct pinfold_error *err)
{
	static int (*const checks[])(const struct key *, const char *, struct place,
				     struct pinfold_error *) = {
		[ITEM_NAME] = check_name,
		[ITEM_PRESET] = check_preset,
		[ITEM_AXIS] = check_axis,
		[ITEM_KEY] = check_key,
		[ITEM_VARIABLE] = check_variable,
		[ITEM_SETTING] = check_setting,
		[ITEM_PORTS] = check_ports,
		[ITEM_CALLS] = check_calls,
	};
	return checks[key->item] ? checks[key->item](key, item, at, err) : 0;
}

size_t item_marks(const char *item, bool *ret_optional, bool *ret_literal)
{
	size_t count = 0;
	*ret_optional = item[count] == '-';
	count += *ret_optional;
	*ret_literal = item[count] == '=';
	count += *ret_literal;
	return count;
}

/* The first `before` bytes of `mark`, and the rest below home. */
static const char *below_home(struct arena *arena, const char *mark, size_t before, const char *home,
			      const char *rest)
{
	if (streq(home, "/") && *rest)
		home = "";
	size_t middle = strlen(home), after = strlen(rest) + 1;
	char *path = arena_allocate(arena, before + middle + after);
	if (!path)
		return NULL;
	memcpy(path, mark, before);
	memcpy(path + before, home, middle);
	memcpy(path + before + middle, rest, after);
	return path;
}

int item_expand(struct value_maker *maker, const struct key *key, const char *item, struct place at,
		const char **ret_path, struct pinfold_error *err)
{
	bool optional, literal;
	size_t marks = key->item == ITEM_PATH_RULE ? item_marks(item, &optional, &literal) : 0;
	const char *path = item + marks;
	if (path[0] == '~' && (path[1] == '/' || path[1] == '\0')) {
		const char *home = value_home(maker);
		path = home ? below_home(maker->arena, item, marks, home, path + 1) : NULL;
		if (home && !path)
			return fault_no_memory(err);
	} else if (path[0] != '/') {
		return refuse(key, item, "an absolute path", "begin the path with `/` or `~/`", at,
			      err);
	} else {
		path = item;
	}
	*ret_path = path;
	return 0;
}

/* wrappers/variables.c - variables of an environment: "NAME=value". */
#include "wrappers/variables.h"

#include "base/cleanup.h"
#include "base/text.h"

static bool is_named(const char *entry, const char *name)
{
	size_t length = strlen(name);
	return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

const char *variables_value(const char *const *variables, const char *name)
{
	for (; variables && *variables; variables++)
		if (is_named(*variables, name))
			return *variables + strlen(name) + 1;
	return NULL;
}

static void remove_all(struct list *variables, const char *name, const char *but)
{
	size_t kept = 0;
	for (size_t i = 0; i < variables->count; i++) {
		char *entry = variables->items[i];
		if (entry != but && is_named(entry, name))
			free(entry);
		else
			variables->items[kept++] = entry;
	}
	variables->count = kept;
	if (variables->items)
		variables->items[kept] = NULL;
}

int variables_set(struct list *variables, const char *name, const char *value)
{
	if (list_addf(variables, "%s=%s", name, value) < 0)
		return -1;
	remove_all(variables, name, variables->items[variables->count - 1]);
	return 0;
}

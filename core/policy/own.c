/* policy/own.c - what later runs of pinfold believe, and a confined command must not write. */
#include "config.h"

#include "policy/own.h"

#include "base/cleanup.h"
#include "base/path.h"
#include "base/places.h"

#include <stdlib.h>

/* The directory, and what it leads to where it is a link. */
static int add(struct list *places, const char *path)
{
	auto_free char *target = realpath(path, NULL);
	if (list_add(places, path) < 0)
		return -1;
	return target ? list_add(places, target) : 0;
}

/* Pinfold's own below a directory of the caller's. */
static int add_below(struct list *places, const char *base)
{
	auto_free char *canonical = realpath(base, NULL);
	auto_free char *path = path_join(canonical ? canonical : base, "pinfold");
	return path ? add(places, path) : -1;
}

static int add_callers(struct list *places, const char *variable, const char *below_home)
{
	const char *named = getenv(variable);
	if (named && named[0] == '/')
		return add_below(places, named);
	auto_free char *home = path_home();
	auto_free char *base = home ? path_join(home, below_home) : NULL;
	if (!home)
		return 0;
	return base ? add_below(places, base) : -1;
}

int own_list(const struct config *config, struct list *places)
{
	const struct list *further = config_list(config, "pinfold", "plugin-directories");
	const char *const built_in[] = { places_vendor(), places_site(), places_plugins() };
	int result = add_callers(places, "XDG_CONFIG_HOME", ".config");
	if (result == 0)
		result = add_callers(places, "XDG_CACHE_HOME", ".cache");
	for (size_t i = 0; result == 0 && i < sizeof(built_in) / sizeof(built_in[0]); i++)
		result = add(places, built_in[i]);
	for (size_t i = 0; result == 0 && i < further->count; i++)
		result = add(places, further->items[i]);
	return result;
}

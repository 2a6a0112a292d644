/* wrappers/distcc.c - the preparer of distcc, which sends preprocessed sources to servers elsewhere. */
#include "cache.h"

#include <string.h>

static const struct pinfold_key keys[] = {
	{ sizeof(struct pinfold_key), PINFOLD_KEY_PATH, "directory", NULL, NULL,
	  "where distcc keeps its state and its list of hosts; ~/.distcc unless DISTCC_DIR says" },
	{ sizeof(struct pinfold_key), PINFOLD_KEY_FLAG, "remote", "no", NULL,
	  "whether a confined command may have compilers run by the servers that distcc knows" },
	{ .size = sizeof(struct pinfold_key) },
};

static int distcc_matches(const struct pinfold_host *host, const char *file_name)
{
	(void)host;
	return strcmp(file_name, "distcc") == 0;
}

/* distcc wants a directory for locks, and a server runs options that its client chose: confined only as
 * that server is. Without one the client compiles by itself. */
static int distcc_ready(const struct pinfold_host *host, const struct pinfold_wrapper_context *context,
			struct pinfold_preparation *ret_preparation, void **ret_state,
			struct pinfold_error *err)
{
	static const struct cache_rule rule = {
		.variable = "DISTCC_DIR", .name = "distcc", .legacy = ".distcc",
	};
	struct words imposed = { .host = host }, layers = { .host = host };
	struct pinfold_wrapper_context private = *context;
	struct cache_found found;
	*ret_state = NULL;
	if (!context->confined)
		return 0;
	private.cache = "layered";	/* its directory is no cache that anyone would share */
	if (cache_find(host, &private, &rule, &found) < 0)
		return words_no_memory(host, err);
	/* It is written to, and only its list of hosts is read. One that is named distcc does not make. */
	if (found.fresh || (found.layer && context->bare)) {
		found.fresh = host->print(host, "DISTCC_DIR=%s", context->temporary);
		found.layer = NULL;
		imposed.failed = !found.fresh;
	}
	if (found.fresh)
		words_add(&imposed, found.fresh);
	if (found.layer)
		words_add(&layers, found.layer);
	if (strcmp(host->setting(host, "remote"), "yes") == 0)
		ret_preparation->note = "servers of distcc run compilers with options that the command "
					"chooses, and are not confined by pinfold";
	else
		words_add(&imposed, "DISTCC_HOSTS=localhost");
	ret_preparation->imposed = words_give(&imposed);
	ret_preparation->layers = words_give(&layers);
	return imposed.failed || layers.failed ? words_no_memory(host, err) : 0;
}

static const struct pinfold_wrapper wrapper = {
	.size = sizeof(wrapper),
	.name = "distcc",
	.summary = "distcc: compiles inside unless its servers are allowed",
	.keys = keys,
	.matches = distcc_matches,
	.ready = distcc_ready,
};
static const struct pinfold_wrapper *const wrappers[] = { &wrapper, NULL };

const struct pinfold_plugin pinfold_plugin = {
	.size = sizeof(pinfold_plugin),
	.major = PINFOLD_PLUGIN_MAJOR,
	.minor = PINFOLD_PLUGIN_MINOR,
	.name = "distcc",
	.version = "0.1.0",
	.summary = "prepares the wrapper distcc",
	.wrappers = wrappers,
	.manual = "pinfold-wrappers(7)",
};

/* wrappers/ccache.c - the preparer of ccache, which has no helper: all happens in its client. */
#include "cache.h"
#include "ccache_conf.h"

#include <string.h>

static const struct pinfold_key keys[] = {
	{ sizeof(struct pinfold_key), PINFOLD_KEY_PATH, "directory", NULL, NULL,
	  "the host's cache, where it is not found: ccache's configuration says it in a way that is not read" },
	{ .size = sizeof(struct pinfold_key) },
};

static const struct cache_rule rule = {
	.variable = "CCACHE_DIR", .name = "ccache", .legacy = ".ccache", .configured = ccache_conf_directory,
};

static int ccache_matches(const struct pinfold_host *host, const char *file_name)
{
	(void)host;
	return strcmp(file_name, "ccache") == 0;
}

/* CCACHE_DIR is left alone where it need not be set: with it ccache reads another configuration. */
static int ccache_ready(const struct pinfold_host *host, const struct pinfold_wrapper_context *context,
			struct pinfold_preparation *ret_preparation, void **ret_state,
			struct pinfold_error *err)
{
	struct words imposed = { .host = host }, layers = { .host = host }, writable = { .host = host };
	struct cache_found found;
	if (cache_find(host, context, &rule, &found) < 0)
		return words_no_memory(host, err);
	if (strcmp(context->cache, "off") == 0)
		words_add(&imposed, "CCACHE_DISABLE=1");
	else if (found.fresh)
		words_add(&imposed, found.fresh);
	/* Its own would be in the cache, or in a runtime directory that the command may not have. */
	if (context->confined)
		words_add(&imposed, words_set(host, "CCACHE_TEMPDIR", context->temporary));
	if (found.layer)
		words_add(&layers, found.layer);
	/* Without this a miss would fail, and not only not be stored. */
	if (found.layer && context->bare) {
		words_add(&imposed, "CCACHE_READONLY=1");
		words_add(&imposed, "CCACHE_NOSTATS=1");
		found.note = cache_read_only;
	}
	if (found.writable)
		words_add(&writable, found.writable);
	ret_preparation->imposed = words_give(&imposed);
	ret_preparation->layers = words_give(&layers);
	ret_preparation->writable = words_give(&writable);
	ret_preparation->note = found.note;
	*ret_state = NULL;
	return imposed.failed || layers.failed || writable.failed ? words_no_memory(host, err) : 0;
}

static const struct pinfold_wrapper wrapper = {
	.size = sizeof(wrapper),
	.name = "ccache",
	.summary = "ccache: the host's cache below a private layer",
	.keys = keys,
	.matches = ccache_matches,
	.ready = ccache_ready,
};
static const struct pinfold_wrapper *const wrappers[] = { &wrapper, NULL };

const struct pinfold_plugin pinfold_plugin = {
	.size = sizeof(pinfold_plugin),
	.major = PINFOLD_PLUGIN_MAJOR,
	.minor = PINFOLD_PLUGIN_MINOR,
	.name = "ccache",
	.version = "0.1.0",
	.summary = "prepares the wrapper ccache",
	.wrappers = wrappers,
	.manual = "pinfold-wrappers(7)",
};

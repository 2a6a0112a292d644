/* wrappers/cache.c - where the host's cache of a wrapper lies, and how a run gets it. */
#include "config.h"

#include "cache.h"

#include <string.h>
#include <sys/stat.h>

const char cache_read_only[] = "the host's cache is only read: this arm has no private layers";

static bool is_directory(const char *path)
{
	struct stat status;
	return path && path[0] == '/' && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Where it would lie; NULL where there is no home, or memory is gone. */
static const char *expected(const struct pinfold_host *host, const struct pinfold_wrapper_context *context,
			    const struct cache_rule *rule)
{
	const char *set = host->setting(host, "directory");
	const char *named = set ? set : words_value(context->environment, rule->variable);
	if (!named && rule->configured)
		named = rule->configured(host, context);
	if (named)
		return named;
	const char *home = words_value(context->environment, "HOME");
	if (!home)
		home = context->home;
	const char *legacy = home && rule->legacy ? host->print(host, "%s/%s", home, rule->legacy) : NULL;
	if (is_directory(legacy))
		return legacy;
	const char *base = words_value(context->environment, "XDG_CACHE_HOME");
	if (base)
		return host->print(host, "%s/%s", base, rule->name);
	return home ? host->print(host, "%s/.cache/%s", home, rule->name) : NULL;
}

static void offer(struct cache_found *found, const char *word)
{
	if (strcmp(word, "shared") == 0) {
		found->writable = found->directory;
		found->note = "the command can change what later builds outside take from the cache";
	} else {
		found->layer = found->directory;
	}
}

int cache_find(const struct pinfold_host *host, const struct pinfold_wrapper_context *context,
	       const struct cache_rule *rule, struct cache_found *ret_found)
{
	struct cache_found found = { 0 };
	const char *path = expected(host, context, rule);
	bool off = strcmp(context->cache, "off") == 0;
	if (is_directory(path))
		found.directory = host->print(host, "%s", path);
	if (is_directory(path) && !found.directory)
		return -1;
	if (context->confined && found.directory && !off)
		offer(&found, context->cache);
	/* Without a directory that it can write the wrapper's builds would fail. */
	if (off || (context->confined && !found.directory))
		found.fresh = host->print(host, "%s=%s/%s", rule->variable, context->temporary,
					  rule->name);
	if ((off || (context->confined && !found.directory)) && !found.fresh)
		return -1;
	*ret_found = found;
	return 0;
}

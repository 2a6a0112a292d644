/* wrappers/generic.c - a preparer without code: its section says which wrapper, and what that needs. */
#include "words.h"

#include <fnmatch.h>
#include <string.h>

#define KEY(type, name, initial, words, help) \
	{ sizeof(struct pinfold_key), PINFOLD_KEY_##type, name, initial, words, help }
static const struct pinfold_key keys[] = {
	KEY(LIST, "match", NULL, NULL, "file names of the wrapper; * stands for any letters"),
	KEY(LIST, "prepare", NULL, NULL,
	    "program (absolute) and arguments that start its helper: inside, before the command; see `where`"),
	KEY(LIST, "stop", NULL, NULL,
	    "program (absolute) and arguments that end its helper again where the wrapper cannot be used"),
	KEY(TEXT, "endpoint", NULL, NULL,
	    "where the helper listens, a socket's path or a text that ends with a port: where it answers it is not started"),
	KEY(WORD, "where", "inside", "inside outside",
	    "`outside`: an arm that confines nothing runs `prepare` as well, before the wrapper is tried"),
	KEY(LIST, "environment", NULL, NULL, "variables of the command that `prepare` gets; no others"),
	KEY(LIST, "set", NULL, NULL, "NAME=VALUE for the command, where it does not set NAME"),
	KEY(LIST, "cache", NULL, NULL, "directories of the host that are below a private layer inside"),
	{ .size = sizeof(struct pinfold_key) },
};

static int generic_matches(const struct pinfold_host *host, const char *file_name)
{
	struct words patterns = { .host = host };
	words_add_lines(&patterns, host->setting(host, "match"));
	for (size_t i = 0; i < patterns.count; i++)
		if (fnmatch(patterns.items[i], file_name, 0) == 0)
			return 1;
	return 0;
}

static int add_helper(const struct pinfold_host *host, const struct pinfold_wrapper_context *context,
		      struct pinfold_preparation *preparation, struct pinfold_error *err)
{
	struct words start = { .host = host }, stop = { .host = host };
	struct words names = { .host = host }, environment = { .host = host };
	words_add_lines(&start, host->setting(host, "prepare"));
	words_add_lines(&stop, host->setting(host, "stop"));
	words_add_lines(&names, host->setting(host, "environment"));
	words_pass(&environment, context->environment, names.items);
	preparation->start = words_give(&start);
	preparation->stop = words_give(&stop);
	preparation->start_environment = words_give(&environment);
	if (start.failed || stop.failed || names.failed || environment.failed)
		return words_no_memory(host, err);
	return (start.count && words_check_program(host, context, start.items[0], err) < 0) ||
	       (stop.count && words_check_program(host, context, stop.items[0], err) < 0) ? -1 : 0;
}

static int check_settings(const struct pinfold_host *host, const struct words *settings,
			  struct pinfold_error *err)
{
	for (size_t i = 0; i < settings->count; i++)
		if (settings->items[i][strcspn(settings->items[i], "=")] != '=' ||
		    settings->items[i][0] == '=')
			return host->fail(err, PINFOLD_E_CONFIG, 0, "set a variable for a wrapper",
					  settings->items[i], "write NAME=VALUE");
	return 0;
}

/* It is confined as the command is, so it may be any program. */
static int add_inside(const struct pinfold_host *host, struct pinfold_preparation *preparation,
		      struct pinfold_error *err)
{
	struct words inside = { .host = host };
	words_add_lines(&inside, host->setting(host, "prepare"));
	words_give_inside(&inside, preparation);
	return inside.failed ? words_no_memory(host, err) : 0;
}

static int generic_ready(const struct pinfold_host *host, const struct pinfold_wrapper_context *context,
			 struct pinfold_preparation *ret_preparation, void **ret_state,
			 struct pinfold_error *err)
{
	struct words set = { .host = host }, cache = { .host = host };
	bool shared = strcmp(context->cache, "shared") == 0, off = strcmp(context->cache, "off") == 0;
	*ret_state = NULL;
	words_add_lines(&set, host->setting(host, "set"));
	words_add_lines(&cache, off || !context->confined ? NULL : host->setting(host, "cache"));
	ret_preparation->environment = words_give(&set);
	const char *const *paths = words_give(&cache);
	if (shared)
		ret_preparation->writable = paths;
	else
		ret_preparation->layers = paths;
	ret_preparation->endpoint = host->setting(host, "endpoint");
	if (set.failed || cache.failed)
		return words_no_memory(host, err);
	if (check_settings(host, &set, err) < 0)
		return -1;
	bool outside = strcmp(host->setting(host, "where"), "outside") == 0;
	if (context->confined)
		return add_inside(host, ret_preparation, err);
	return outside ? add_helper(host, context, ret_preparation, err) : 0;
}

static const struct pinfold_wrapper wrapper = {
	.size = sizeof(wrapper),
	.many = 1,
	.name = "generic",
	.summary = "wrappers that sections [wrapper:NAME] describe",
	.keys = keys,
	.matches = generic_matches,
	.ready = generic_ready,
};
static const struct pinfold_wrapper *const wrappers[] = { &wrapper, NULL };

const struct pinfold_plugin pinfold_plugin = {
	.size = sizeof(pinfold_plugin),
	.major = PINFOLD_PLUGIN_MAJOR,
	.minor = PINFOLD_PLUGIN_MINOR,
	.name = "generic",
	.version = "0.1.0",
	.summary = "prepares wrappers that the configuration describes",
	.wrappers = wrappers,
	.manual = "pinfold-wrappers(7)",
};

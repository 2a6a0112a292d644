/* first.c - the smallest plugin: it knows the compiler wrapper first-cache, which needs nothing. */
#include <pinfold/wrapper.h>

#include <string.h>

static int first_matches(const struct pinfold_host *host, const char *file_name)
{
	(void)host;
	return strcmp(file_name, "first-cache") == 0;
}

static const struct pinfold_wrapper wrapper = {
	.size = sizeof(wrapper),
	.name = "first",
	.summary = "the wrapper first-cache",
	.matches = first_matches,
};

static const struct pinfold_wrapper *const wrappers[] = { &wrapper, NULL };

const struct pinfold_plugin pinfold_plugin = {
	.size = sizeof(pinfold_plugin),
	.major = PINFOLD_PLUGIN_MAJOR,
	.minor = PINFOLD_PLUGIN_MINOR,
	.name = "first",
	.version = "1.0",
	.summary = "the first plugin of pinfold-plugin-guide(7)",
	.wrappers = wrappers,
};

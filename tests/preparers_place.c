/* tests/preparers_place.c - asks one preparer of the build tree. */
#include "preparers_place.h"

#include <stdio.h>

int preparers_ask(const char *name, const struct config_sources *sources,
		 const struct pinfold_wrapper_context *context, struct asked *ret_asked)
{
	struct asked asked = { .preparation = { .size = sizeof(asked.preparation) } };
	void *state = NULL;
	char section[64];
	snprintf(section, sizeof(section), "wrapper:%s", name);
	if (config_load(sources, &asked.config, &asked.err) < 0 ||
	    registry_new(asked.config, NULL, &asked.registry, &asked.err) < 0 ||
	    registry_wrapper(asked.registry, name, &asked.wrapper, &asked.err) < 0 ||
	    !(asked.host = registry_host(asked.registry, section))) {
		*ret_asked = asked;
		return -1;
	}
	asked.result = asked.wrapper->ready(asked.host, context, &asked.preparation, &state, &asked.err);
	*ret_asked = asked;
	return 0;
}

void preparers_forget(struct asked *asked)
{
	registry_host_free(asked->host);
	registry_free(asked->registry);
	config_free(asked->config);
}

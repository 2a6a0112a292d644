/* tests/outside_load.c - loads the plugin of tests/outside as the host does: for `make installcheck`. */
#include "arms/arms.h"

#include "base/text.h"

#include <stdio.h>

static int complain(const char *what, const struct pinfold_error *err)
{
	fprintf(stderr, "%s: cannot %s: %s\n", what, err->action, err->subject);
	return 1;
}

/* Asks as for a confined command of somebody at /somewhere. */
static bool is_ready(struct registry *registry, const struct pinfold_wrapper *wrapper)
{
	const struct pinfold_wrapper_context context = {
		.size = sizeof(context), .wrapper = "outside-cache", .directory = "/", .confined = 1,
		.home = "/somewhere", .cache = "layered", .temporary = "/tmp",
	};
	struct pinfold_preparation preparation = { .size = sizeof(preparation) };
	struct pinfold_host *host = registry_host(registry, "wrapper:outside");
	struct pinfold_error err = { 0 };
	void *state;
	bool ready = host && PINFOLD_HAS(wrapper, ready) &&
		     wrapper->ready(host, &context, &preparation, &state, &err) == 0 &&
		     preparation.layers && streq(preparation.layers[0], "/somewhere/.cache/outside-cache") &&
		     !preparation.start;
	registry_host_free(host);
	return ready;
}

static int use(struct registry *registry, const struct config *config)
{
	const struct pinfold_wrapper *wrapper = NULL;
	struct pinfold_error err = { 0 };
	if (registry_wrapper(registry, "outside", &wrapper, &err) < 0)
		return complain("the wrapper", &err);
	struct arms_offer *offer = arms_probe(registry, config, "outside", true);
	bool right = offer && offer->offer.available && offer->offer.kept == PINFOLD_BIT(FILESYSTEM) &&
		     is_ready(registry, wrapper) && wrapper->matches(NULL, "outside-cache") == 1 && wrapper->matches(NULL, "cc") == 0;
	if (!right)
		fprintf(stderr, "the arm: %s\n",
			offer && offer->offer.missing ? offer->offer.missing : "another offer");
	arms_offer_free(offer);
	return right ? 0 : 1;
}

/* The site's directory is the argument. */
int main(int argc, char **argv)
{
	const struct config_sources sources = { .vendor = NULL, .site = argv[argc - 1], .user = "" };
	struct pinfold_error err = { 0 };
	struct config *config = NULL;
	struct registry *registry = NULL;
	int result = 1;
	if (config_load(&sources, &config, &err) < 0 ||
	    registry_new(config, NULL, &registry, &err) < 0)
		complain("the host", &err);
	else
		result = use(registry, config);
	registry_free(registry);
	config_free(config);
	return result;
}

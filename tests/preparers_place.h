/* tests/preparers_place.h - the preparers of the build tree, over a configuration of the test's own. */
#ifndef TESTS_PREPARERS_PLACE_H
#define TESTS_PREPARERS_PLACE_H

#include "registry/registry.h"

/* One preparer that was asked; freed by preparers_forget. */
struct asked {
	struct config *config;
	struct registry *registry;
	struct pinfold_host *host;
	const struct pinfold_wrapper *wrapper;
	struct pinfold_preparation preparation;
	int result;	/* of `ready` */
	struct pinfold_error err;
};

/* Looks up the wrapper and asks it, as the host does. -1 where it is not to be had, with `err` filled. */
int preparers_ask(const char *name, const struct config_sources *sources,
		 const struct pinfold_wrapper_context *context, struct asked *ret_asked);
void preparers_forget(struct asked *asked);

#endif

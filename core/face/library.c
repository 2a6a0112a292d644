/* face/library.c - the handle: configuration and modules. */
#include "config.h"

#include "base/fault.h"
#include "face/face.h"
#include "tree/copies.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* One for all modules that take turns, in all handles: a module is loaded once. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

void turn_take(struct registry *registry, const void *table)
{
	if (table && registry_takes_turns(registry, table))
		pthread_mutex_lock(&turn);
}

void turn_end(struct registry *registry, const void *table)
{
	if (table && registry_takes_turns(registry, table))
		pthread_mutex_unlock(&turn);
}

const char *pinfold_version(void)
{
	return PACKAGE_VERSION;
}

static int read_options(const struct pinfold_options *from, struct pinfold_options *ret_options,
			struct pinfold_error *err)
{
	struct pinfold_options options = { 0 };
	if (from && from->size < offsetof(struct pinfold_options, config_file))
		return fault(err, PINFOLD_E_USAGE, 0, "read the options",
			     "their structure has no size",
			     "set `size` to sizeof(struct pinfold_options)");
	if (from)
		memcpy(&options, from, from->size < sizeof(options) ? from->size : sizeof(options));
	*ret_options = options;
	return 0;
}

/* What a cage of this handle is made from, beside its own settings. */
static int remember_options(struct pinfold *pinfold, const struct pinfold_options *options,
			    struct pinfold_error *err)
{
	pinfold->built_in = options->built_in;
	if (options->config_file && !(pinfold->config_file = strdup(options->config_file)))
		return fault_no_memory(err);
	for (size_t i = 0; options->settings && options->settings[i]; i++)
		if (list_add(&pinfold->settings, options->settings[i]) < 0)
			return fault_no_memory(err);
	return 0;
}

int pinfold_new(const struct pinfold_options *given, struct pinfold **ret_pinfold,
		struct pinfold_error *err)
{
	struct pinfold_options options = { 0 };
	if (read_options(given, &options, err) < 0)
		return -1;
	struct config_sources sources = {
		.file = options.config_file, .settings = options.settings,
	};
	struct pinfold *pinfold = calloc(1, sizeof(*pinfold));
	if (!pinfold)
		return fault_no_memory(err);
	pinfold->leaving = (struct leaving)LEAVING_NONE;
	pinfold->cages = (struct cages)CAGES_NONE;
	pinfold->detached = (struct detached)DETACHED_NONE;
	pinfold->log = options.log;
	pinfold->log_context = options.log_context;
	pinfold->started = options.started;
	struct registry_services services = {
		.trees = &copies_trees, .built_in = options.built_in,
		.log = options.log, .log_context = options.log_context,
	};
	if (options.expected)
		ahead_begin(pinfold, options.expected);
	if (remember_options(pinfold, &options, err) < 0 || config_load(&sources, &pinfold->config, err) < 0 ||
	    registry_new(pinfold->config, &services, &pinfold->registry, err) < 0 ||
	    registry_check_sections(pinfold->registry, err) < 0) {
		pinfold_free(pinfold);
		return -1;
	}
	*ret_pinfold = pinfold;
	return 0;
}

void pinfold_free(struct pinfold *pinfold)
{
	if (!pinfold)
		return;
	detached_release(&pinfold->detached);
	cages_release(&pinfold->cages);
	ahead_drop(pinfold);
	leaving_await(&pinfold->leaving);
	registry_free(pinfold->registry);
	config_free(pinfold->config);
	list_release(&pinfold->settings);
	free(pinfold->config_file);
	free(pinfold);
}

uint32_t pinfold_host_gate(const struct pinfold *pinfold)
{
	return config_word(pinfold->config, "placement", "host");
}

/* wrappers/ccache_conf.h - where ccache's own configuration files put its cache. */
#ifndef WRAPPERS_CCACHE_CONF_H
#define WRAPPERS_CCACHE_CONF_H

#include "words.h"

/* The directory that a configuration file outside of the tree names with `cache_dir`, or NULL: none does,
 * in a form that is read here. The environment's CCACHE_DIR would come before it. */
const char *ccache_conf_directory(const struct pinfold_host *host,
				  const struct pinfold_wrapper_context *context);

#endif

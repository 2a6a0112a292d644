/* wrappers/cache.h - where the host's cache of a wrapper lies, and how a run gets it. */
#ifndef WRAPPERS_CACHE_H
#define WRAPPERS_CACHE_H

#include "words.h"

/* How a wrapper finds its cache. */
struct cache_rule {
	const char *variable;	/* names the directory: CCACHE_DIR */
	const char *name;	/* the directory below the user's cache directory: ccache */
	/* What the wrapper's own configuration names, where neither setting nor variable does; or NULL. */
	const char *(*configured)(const struct pinfold_host *, const struct pinfold_wrapper_context *);
	const char *legacy;	/* below the home, taken first where it is there: .ccache; or NULL */
};

/* What was decided, to be put into a preparation. */
struct cache_found {
	const char *directory;	/* of the host's; NULL where it has none */
	const char *layer, *writable;	/* the same, for the list that it goes into; or NULL */
	const char *fresh;	/* an empty one that ends with the run, to be named by the variable; or NULL */
	const char *note;
};

/* What a person should know of one that is read without a layer. */
extern const char cache_read_only[];

/* The setting `directory` of the wrapper's section goes before what the environment says. -1: memory is
 * gone. */
int cache_find(const struct pinfold_host *host, const struct pinfold_wrapper_context *context,
	       const struct cache_rule *rule, struct cache_found *ret_found);

#endif

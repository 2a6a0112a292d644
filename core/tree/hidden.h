/* tree/hidden.h - what a copy leaves out because nothing could hide it there. */
#ifndef TREE_HIDDEN_H
#define TREE_HIDDEN_H

#include "policy/policy.h"

#include <stdbool.h>
#include <stddef.h>

/* Canonical paths, sorted by strcmp; not owned. */
struct hidden {
	const char *const *paths;
	size_t count;
};

/* What the policy hides, but for directories of which only the names are hidden; in the policy's memory. 0, or -1
 * where that is gone. */
int hidden_of(struct policy *policy, struct hidden *ret_hidden);
/* Those of them that lie below a canonical directory. */
struct hidden hidden_below(const struct hidden *hidden, const char *directory);
/* Is an entry one of them? Its folder is relative to the directory, and "" for that itself. */
bool hidden_has(const struct hidden *hidden, const char *directory, const char *folder, const char *name);

#endif

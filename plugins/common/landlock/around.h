/* plugins/common/landlock/around.h - allows a directory but for some of what lies in it, in a ruleset that can
 * only allow: by a rule for every neighbour of what is left out. */
#ifndef LANDLOCK_AROUND_H
#define LANDLOCK_AROUND_H

#include "wall.h"

/* Canonical paths that a rule may not cover. */
struct around_hole {
	const char *path;
	bool directory;	/* its names are hidden as well */
	bool alone;	/* of a directory only the names: what is in it may be allowed */
};

struct around {
	const struct pinfold_host *host;
	int ruleset;
	const struct wall_rights *handled;
	const struct around_hole *holes;
	size_t hole_count;
	size_t rules;	/* made so far */
	size_t most;	/* rules that may be made */
};

/* Is `path` the same as `directory`, or below it? Both canonical. */
bool around_is_within(const char *path, const char *directory);
/* Allows `rights` in all of `path` that is no hole and in none. 1: there would be too many rules; -1: errno. What is
 * made in a directory that holds a hole, later, is not allowed. The names in such a directory are neither,
 * where a hole is a directory: they could not be told from the names in it. */
int around_allow(struct around *around, const char *path, uint64_t rights);

#endif

/* policy/presence.h - asking once what a directory holds, where most of what is sought is not there. */
#ifndef POLICY_PRESENCE_H
#define POLICY_PRESENCE_H

#include "base/list.h"

#include <stdint.h>

enum { PRESENCE_MARKS = 256 };

struct presence {
	const char *directory;	/* NULL: nothing is known */
	size_t length;	/* of its path, without a slash at the end */
	struct list names;	/* sorted */
	uint64_t marks[PRESENCE_MARKS / 64];	/* a bit by name: most that are not there have none */
};

/* Reads the names; where that fails nothing is known. The path must stay. */
void presence_read(const char *directory, struct presence *ret_presence);
/* Does `path` lie in the directory, as far as its name says? */
bool presence_covers(const struct presence *presence, const char *path);
/* Is it certain that `path` does not exist? Canonical, but for links. */
bool presence_denies(const struct presence *presence, const char *path);
/* The same of a path below the directory: `rest` is what follows its path and a slash. */
bool presence_lacks(const struct presence *presence, const char *rest);
void presence_release(struct presence *presence);

#endif

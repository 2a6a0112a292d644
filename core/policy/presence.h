/* policy/presence.h - asking once what a directory holds, where most of what is sought is not there. */
#ifndef POLICY_PRESENCE_H
#define POLICY_PRESENCE_H

#include "base/list.h"

struct presence {
	const char *directory;	/* NULL: nothing is known */
	struct list names;	/* sorted */
};

/* Reads the names; where that fails nothing is known. The path must stay. */
void presence_read(const char *directory, struct presence *ret_presence);
/* Is it certain that `path` does not exist? Canonical, but for links. */
bool presence_denies(const struct presence *presence, const char *path);
void presence_release(struct presence *presence);

#endif

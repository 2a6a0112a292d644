/* policy/paths.h - the named paths of a policy, as the kernel matches them. */
#ifndef POLICY_PATHS_H
#define POLICY_PATHS_H

#include "base/arena.h"
#include "base/list.h"
#include "policy/parents.h"
#include "policy/policy.h"
#include "policy/presence.h"

/* A path that was found. */
struct paths_found {
	struct pinfold_path path;
	const char *asked;	/* as somebody wrote it, for messages */
	bool yields;	/* dropped where another would be refused */
};

/* What a home, and .config in it, hold: for speed; zero if not asked. */
struct home_names {
	struct presence home, settings;
};

struct paths {
	struct arena *arena;
	const struct policy_caller *caller;
	struct paths_found *items;
	size_t count, room;
	struct home_names own_home, other_home;	/* the caller's, and one that is being hidden in part */
	struct parents parents;
	struct list own;	/* what no command may write, once it was asked for */
	struct list missing, rewritten;	/* as in struct policy */
};

struct paths_request {
	uint32_t kind;	/* enum pinfold_path_kind */
	const char *text;	/* absolute; a star may stand in its last part; it must stay */
	const char *asked;
	bool optional;	/* may be missing; hidden ones always may */
	bool implied;	/* nobody wrote it as it is: no part of it is a pattern but the last */
};

/* Lists a home, whose path must stay; to be released. */
void paths_list_home(struct paths *paths, const char *home, struct home_names *ret_names);
void paths_release_home(struct home_names *names);
/* Resolves one request, or all that its pattern matches, and adds what exists. */
int paths_add(struct paths *paths, const struct paths_request *request, struct pinfold_error *err);
/* Adds a canonical path with a known status, and yields where it cannot be. */
int paths_add_known(struct paths *paths, uint32_t kind, const char *path, const struct stat *status,
		    uint32_t keep, struct pinfold_error *err);
/* Refuses what cannot be, drops what another path covers, and sorts shorter paths first. */
int paths_settle(struct paths *paths, struct pinfold_error *err);
/* Releases what is not in the arena. */
void paths_release(struct paths *paths);

#endif

/* policy/paths.h - the named paths of a policy, as the kernel matches them. */
#ifndef POLICY_PATHS_H
#define POLICY_PATHS_H

#include "base/arena.h"
#include "base/list.h"
#include "policy/glob.h"
#include "policy/parents.h"
#include "policy/policy.h"
#include "policy/presence.h"

/* A path that was found. */
struct paths_found {
	struct pinfold_path path;
	const char *asked;	/* as somebody wrote it, for messages */
	bool yields;	/* dropped where another would be refused */
	bool missing;	/* does not exist: what is protected cannot be made */
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
	struct glob_names names;	/* of the last pattern's directory */
	const char *before, *before_canonical;	/* that directory, and where it really lies */
	struct pinfold_pattern *patterns;	/* the arena's, as are the links */
	size_t pattern_count, pattern_room;
	struct pinfold_link *links;
	size_t link_count, link_room;
	bool links_count;	/* somebody needs them: most is out of sight */
	struct list own;	/* what no command may write, once it was asked for */
	struct list missing, rewritten;	/* as in struct policy */
};

struct paths_request {
	uint32_t kind;	/* enum pinfold_path_kind */
	const char *text;	/* absolute; it may be a pattern, and must stay */
	const char *asked;
	bool literal;	/* it alone, nothing below it */
	bool hard;	/* no allowance beats it */
	bool optional;	/* may be missing; hidden ones always may */
	bool implied;	/* nobody wrote it as it is: it is not refused where it cannot be */
	size_t plain;	/* so many bytes at its beginning are no pattern */
};

/* Lists a home, whose path must stay; to be released. */
void paths_list_home(struct paths *paths, const char *home, struct home_names *ret_names);
void paths_release_home(struct home_names *names);
/* Of this folder: the links that a path was written through. -1 when memory is gone. */
int paths_add_links(struct paths *paths, const char *written);
/* Of this folder: one path that is no pattern; what could not be found, for this reason (errno). */
int paths_add_one(struct paths *paths, const struct paths_request *request, struct pinfold_error *err);
int paths_not_found(struct paths *paths, const struct paths_request *request, const char *path, int sys,
		    struct pinfold_error *err);
/* All that a pattern matches; and it is noted, for what is made later. */
int paths_add_pattern(struct paths *paths, const struct paths_request *request, struct pinfold_error *err);
/* The canonical path of something that exists, in the arena or `path` itself; NULL with errno. */
const char *paths_canonical(struct paths *paths, const char *path);

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

/* policy/glob.h - patterns of paths: `?` is one character and `*` any number of them within a part, `**` any
 * number of whole parts, at the end at least one.
 *
 * What matches is found once, by walking from the part before the first wildcard, within bounds: a pattern
 * that would take a walk through half a machine is refused instead.
 */
#ifndef POLICY_GLOB_H
#define POLICY_GLOB_H

#include <stdbool.h>
#include <stddef.h>

enum { GLOB_SEEN_MOST = 300000, GLOB_MATCHES_MOST = 10000, GLOB_DEPTH_MOST = 64 };

/* Is there a wildcard in it? */
bool glob_is_pattern(const char *text);
/* How much of a pattern stands before the part with the first wildcard, without the slash at its end; its
 * first `plain` bytes are no pattern, whatever is in them. */
size_t glob_fixed(const char *pattern, size_t plain);
/* Does the whole of an absolute path match? */
bool glob_matches(const char *pattern, const char *path);

/* How a walk ended. */
enum glob_ending { GLOB_DONE = 0, GLOB_TOO_MANY, GLOB_TOO_LONG, GLOB_TOO_DEEP, GLOB_STOPPED };

/* What the directory held that was listed last: patterns of one directory then take one listing. Zero at first. */
struct glob_names {
	char *rows;	/* of each a byte for its type, and its name */
	size_t bytes, room;
	char *directory;
	bool complete;
};
void glob_names_release(struct glob_names *names);

/* Called for each path that matches, with 0, and for each directory that cannot be looked into, with the
 * reason (errno); not 0 stops the walk. A match may be told twice. */
typedef int (*glob_found)(void *context, const char *path, int sys);
/* `names` is of a walk before, or NULL. */
enum glob_ending glob_expand(const char *pattern, size_t plain, struct glob_names *names, glob_found found,
			     void *context);

#endif

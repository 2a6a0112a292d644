/* tree/git_refs.h - which refs of a repository moved, wherever each of them is kept.
 *
 * A ref has a file of its own or a line in `packed-refs`, and git moves it from one to the other without a
 * change of what it says. Pure, as tree/git_changes.h.
 */
#ifndef TREE_GIT_REFS_H
#define TREE_GIT_REFS_H

#include "base/list.h"

struct git_packed;

/* Zero is empty. */
struct git_refs {
	struct git_ref {
		char *name;
		char *before, *after;	/* what it said, for a person; NULL: nothing, or not known */
		bool was, is;	/* it had a file of its own, and has one */
	} *items;
	size_t count, room;
	struct git_packed *packed;
};

/* A file of a ref; its texts NULL where there is none, or it is not known. -1 when memory is gone. */
int git_refs_add(struct git_refs *refs, const char *name, bool was, bool is, const char *before,
		 const char *after);
/* The two texts of a `packed-refs`; `prefix` is what stands before the names of its refs: "", or
 * "modules/x/". NULL: there is none. */
int git_refs_add_packed(struct git_refs *refs, const char *prefix, const char *before, const char *after);
/* A line for each ref that says something else than before, sorted; those past a certain number are
 * counted. -1 when memory is gone. */
int git_refs_lines(struct git_refs *refs, struct list *lines);
void git_refs_release(struct git_refs *refs);

#endif

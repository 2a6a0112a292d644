/* policy/git_find.h - git directories that a working tree uses and that lie outside of it.
 *
 * A `.git` that leads elsewhere is under the control of whoever wrote the tree, and could name any
 * directory of the caller's. So one is believed only where all of this is so: it is a git directory, it
 * and what names it belong to the caller, and it says of itself that it is this tree's: it is the
 * directory `.git` of a directory that holds the tree; or its `gitdir` (of a linked worktree) or
 * core.worktree (of a submodule) names the tree; or its index knows a file of the tree by inode.
 */
#ifndef POLICY_GIT_FIND_H
#define POLICY_GIT_FIND_H

#include "base/list.h"

#include <pinfold/error.h>
#include <sys/stat.h>

enum { GIT_FIND_MOST = 16 };

struct git_found {
	struct git_place {
		char *path;	/* canonical */
		struct stat status;
		bool above;	/* it is the `.git` of a directory that the tree lies in */
	} places[GIT_FIND_MOST];	/* common git directories outside of the tree, each once */
	size_t count;
	struct list borrowed;	/* canonical directories of objects that others lend */
	struct list remarks;	/* what was not believed, and what to do, for a person */
};

/* Looks at the tree (canonical), at the directories that hold it where it is no repository itself, and
 * at the directories in it then. What is not found, or not believed, is no failure: -1 only without memory. */
int git_find(const char *tree, uid_t user, struct git_found *ret_found, struct pinfold_error *err);
/* Does the directory look like a common git directory? */
bool git_find_is_directory(int dir);
void git_found_release(struct git_found *found);

#endif

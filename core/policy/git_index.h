/* policy/git_index.h - does the index of a git directory know a working tree by its inodes?
 *
 * Git notes inode, size and time of every file that it has looked at. Who wrote a tree cannot write that
 * into somebody else's git directory, so it tells that the two belong together.
 */
#ifndef POLICY_GIT_INDEX_H
#define POLICY_GIT_INDEX_H

#include <stdbool.h>

/* Is one of the first files that the index in `git` names in `work` now, as git saw it there? */
bool git_index_knows(int git, int work);

#endif

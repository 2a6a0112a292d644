/* policy/git_paths.h - the git directories of a tree among the paths of a policy. */
#ifndef POLICY_GIT_PATHS_H
#define POLICY_GIT_PATHS_H

#include "policy/git_find.h"
#include "policy/paths.h"

/* Each gets a private layer whose changes are kept. */
int git_paths_add(struct paths *paths, const struct git_found *found, struct pinfold_error *err);
/* What was found, or what is hidden of it once the paths are settled; for the policy's remarks. */
int git_paths_remark(const struct paths *paths, const struct git_found *found, struct list *remarks,
		     struct pinfold_error *err);

/* Of the hard tier: what git runs of its own accord, in the tree where that is shown itself, and in each
 * directory that the command may write. */
int git_paths_protect(struct paths *paths, bool direct, struct pinfold_error *err);

#endif

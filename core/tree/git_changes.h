/* tree/git_changes.h - what changed paths of a git directory mean.
 *
 * Pure: no file is opened and nothing of git is run. A path is of a file or link, not of a directory; it is
 * relative to the git directory (the common one, or a `.git` in a tree), and may lie in `modules/NAME/` or `worktrees/NAME/`.
 */
#ifndef TREE_GIT_CHANGES_H
#define TREE_GIT_CHANGES_H

#include "tree/git_refs.h"

enum git_class {
	GIT_OBJECT = 0,	/* a loose object */
	GIT_PACK,	/* a pack; what belongs to one is GIT_PACK_PART */
	GIT_PACK_PART,
	GIT_LOG,
	GIT_PACKED_REFS,
	GIT_REF,
	GIT_HEAD,
	GIT_INDEX,
	GIT_STATE,	/* of a merge, a rebase, a fetch; the last message */
	GIT_RISKY,	/* git runs it, or is told by it what to run or where to look */
	GIT_LOCK,	/* left by a git that was ended: never to be applied */
	GIT_OTHER,
	GIT_CLASSES
};

/* Risky wins where a path could be read in two ways. */
enum git_class git_classify(const char *path);
/* Objects before the refs that lead to them, the other way round for what is removed: to be applied in
 * the order of this number. GIT_LOCK has one like all others. */
unsigned git_rank(const char *path, bool removed);
/* Does `git_summary_add` want to know the content of this path? Those files are small: a line or a few. */
bool git_wants_content(const char *path);

enum git_what { GIT_ADDED = 0, GIT_CHANGED, GIT_REMOVED };

/* Zero is empty; for one git directory. */
struct git_summary {
	size_t counts[GIT_CLASSES][3];	/* by what */
	struct git_refs refs;
	struct list risky, locks;	/* paths */
};

/* Adds one changed file. `before` and `after` are the contents where git_wants_content; NULL where there is
 * none or it is not known. -1 when memory is gone. */
int git_summary_add(struct git_summary *summary, const char *path, enum git_what what, const char *before,
		    const char *after);
/* Is there a ref whose file came or went, and no `packed-refs` that changed? Then what that says, given
 * before the lines are asked for, tells which refs are new and which only moved. */
bool git_summary_wants_packed(const struct git_summary *summary);
int git_summary_add_packed(struct git_summary *summary, const char *content);
/* One line for each thing to tell, most important first, each without a newline; paths are as they are, to
 * be quoted by whoever shows them. -1 when memory is gone. */
int git_summary_lines(struct git_summary *summary, struct list *ret_lines);
void git_summary_release(struct git_summary *summary);

#endif

/* policy/git_files.h - small files of git directories, as text: where one of them leads.
 *
 * Pure. Whoever wrote the tree wrote these files: nothing of them is believed here, only read.
 */
#ifndef POLICY_GIT_FILES_H
#define POLICY_GIT_FILES_H

#include <stdbool.h>
#include <stddef.h>

enum { GIT_FILES_POINTER_MOST = 4096 + 64, GIT_FILES_CONFIG_MOST = 1 << 20 };

/* The path in the content of a file `.git`, cut out of it; NULL where it is no such file. */
char *git_files_gitdir(char *content);
/* The path that is the whole of a file `commondir` or `gitdir`, likewise. */
char *git_files_path(char *content);
/* The value of core.worktree, the last one; NULL for none, or when memory is gone. The caller frees it. */
char *git_files_worktree(const char *config);
/* The next line of a file `alternates`, cut out of it; NULL after the last. Comments are left out; quoted
 * lines are the few that git quotes, and are left out as well. */
char *git_files_alternate(char **content);

#endif

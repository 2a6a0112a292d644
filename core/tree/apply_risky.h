/* tree/apply_risky.h - places in which a change acts without having been asked for.
 *
 * What is written there runs, or decides what runs, when somebody commits, opens an editor, enters a
 * directory, pushes, or logs in. What is only run on purpose (a Makefile, a script, a program that was
 * built) is not among them.
 */
#ifndef TREE_APPLY_RISKY_H
#define TREE_APPLY_RISKY_H

#include "base/list.h"

#include <stdbool.h>
#include <stddef.h>

/* Why `path` is risky, or NULL. Names are compared as the laxest file system would: without regard to
 * case, to letters that are not seen, to dots and spaces at the end. `more`: patterns beside the built-in
 * ones, may be NULL. `is_folder`: of what is or was there. */
const char *risky_match(const struct list *more, const char *path, bool is_folder);
/* Is it a lock of git's, which nobody would remove again? */
bool risky_is_lock(const char *path);
/* Does a link at `path` (relative) with this target lead out of its tree, or might it? */
bool risky_link_leaves(const char *tree, const char *path, const char *target);
/* Is `path` the configuration or a hook of a bare repository below `held`? */
bool risky_is_bare_repository(int held, const char *path);
/* Is `path` a description of a package whose scripts can differ? */
bool risky_has_scripts(const char *path);
/* Do both texts of such a description have the same scripts? What cannot be read as JSON has none in
 * common with anything. `before` NULL: there was none. */
bool risky_scripts_are_same(const char *before, size_t before_bytes, const char *after,
			    size_t after_bytes);

#endif

/* tests/tree_found.h - the changes of a copy or a layer as text, one line for each. */
#ifndef TESTS_TREE_FOUND_H
#define TESTS_TREE_FOUND_H

#include "tree_place.h"

#include "tree/changes.h"

/* Syncs the tree to its copy; returns the copy's directory, good until the next call. */
const char *found_start(void);
/* What differs in the copy since, with the index that was left; below `paths` only (NULL: all).
 *
 *     modified a content mode
 *     renamed b < a
 *     added c = a
 *
 * "=" names another name of the same file. Good until the next call. */
const char *found_changes(const char *const *paths);
/* The same for any two directories and base. */
const char *found_between(const char *place, const char *held, bool layer, const struct index *base,
			  const char *const *paths);
/* The changes behind the text. */
extern struct changes found;
/* What found_start returned. */
extern char found_copy[4096];
void found_release(void);

#endif

/* tests/tree_found.h - operations on a copy, or through an overlay, and the changes they leave as text. */
#ifndef TESTS_TREE_FOUND_H
#define TESTS_TREE_FOUND_H

#include "tree_place.h"

#include "tree/changes.h"

enum found_view {
	FOUND_COPY = 0,
	FOUND_USER_LAYER,	/* an overlay made in a user namespace */
	FOUND_ROOT_LAYER,	/* one of root's */
	FOUND_VIEWS
};
extern const char *const found_view_names[FOUND_VIEWS];
/* NULL, or what the machine lacks for it. */
const char *found_lacks(enum found_view view);

/* Syncs the copy, or makes an empty layer. */
void found_start(enum found_view view);
/* Calls the function where found_in leads into the copy, or through the overlay; a layer is settled
 * afterwards. Returns what the function did when it was 0; else the test fails. */
void found_run(int (*operate)(void *context), void *context);
/* The path of a name as the function is to use it; good until a few calls later. */
const char *found_in(const char *name);

/* What has changed, as text; below `paths` only (NULL: all).
 *
 *     modified a content mode
 *     renamed b < a
 *     added c = a
 *
 * "=" names another name of the same file. Good until the next call. */
const char *found_changes(const char *const *paths);
/* The changes behind the text, and the directory in which they were found. */
extern struct changes found;
extern char found_held[4096];
void found_release(void);

#endif

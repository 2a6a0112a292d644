/* tests/face_place.h - a home and a tree of the test's own, where copies may lie. */
#ifndef TESTS_FACE_PLACE_H
#define TESTS_FACE_PLACE_H

/* Makes a home below the build directory (none of whose parents others may write), with a small tree
 * in it, and changes to the tree. The environment names only this home. */
int face_place_make(void **state);
int face_place_remove(void **state);
/* The tree, the home. */
const char *face_place_tree(void);
const char *face_place_home(void);
/* How many entries lie below a directory. */
unsigned face_place_count(const char *directory);

#endif

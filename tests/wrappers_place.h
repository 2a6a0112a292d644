/* tests/wrappers_place.h - a directory of the test's own, and what one toolchain sees from there. */
#ifndef TESTS_WRAPPERS_PLACE_H
#define TESTS_WRAPPERS_PLACE_H

#include "wrappers/toolchain.h"

/* A directory with tree/sub, home and bin below it. The environment's HOME is the home. */
int place_make(void **state);
int place_remove(void **state);
/* A path below it; lives until the next eight calls. */
const char *place(const char *name);
/* Writes a file, and the directories that it takes. */
void place_write(const char *name, const char *content, unsigned mode);
/* Looks from tree/sub with this environment; the result is released by the next call and at the end. */
const struct look *place_look(const struct toolchain *toolchain, const char *const *environment);
/* The digest of all that would change the answer. */
const char *place_stamps(const struct toolchain *toolchain, const char *const *environment);
/* What lies behind the tree in place of itself; NULL: itself. */
void place_behind(const char *source, const char *upper);

#endif

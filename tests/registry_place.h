/* tests/registry_place.h - a registry over the fakes, for one test. */
#ifndef TESTS_REGISTRY_PLACE_H
#define TESTS_REGISTRY_PLACE_H

#include "registry/registry.h"

/* For setup and teardown: those of config_place.h, and a cache directory of the test's own. */
int modules_set_up(void **state);
int modules_tear_down(void **state);

/* A configuration whose modules are these fakes ("a, b") and no others, with `more` appended as lines
 * of the site's file; and its registry. Freed by modules_tear_down. */
struct registry *modules_open(const char *names, const char *more);
struct config *modules_config(void);
/* Opens again, with the same files and settings: as the next process would. */
struct registry *modules_reopen(void);

/* The first module of this name. */
const struct module *modules_find(const struct registry *registry, const char *name);
/* Loads all, and expects that this module is refused and that its refusal holds `reason`. */
void modules_expect_refusal(struct registry *registry, const char *name, const char *reason);
/* What plugins logged, a line each. */
const char *modules_logged(void);
void modules_forget_log(void);

#endif

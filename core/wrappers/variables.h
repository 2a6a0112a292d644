/* wrappers/variables.h - variables of an environment: "NAME=value". */
#ifndef WRAPPERS_VARIABLES_H
#define WRAPPERS_VARIABLES_H

#include "base/list.h"

/* The value of the first with this name, or NULL. */
const char *variables_value(const char *const *variables, const char *name);
/* Sets it: whatever there was of that name goes, so that it is there exactly once. -1 when memory is gone. */
int variables_set(struct list *variables, const char *name, const char *value);

#endif

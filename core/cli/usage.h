/* cli/usage.h - the verbs, and what is told of them and their options. */
#ifndef CLI_USAGE_H
#define CLI_USAGE_H

#include "verb.h"

/* NULL with the error filled where there is none of this name. */
const struct verb *usage_find_verb(const char *name, struct pinfold_error *err);
/* The same without an error. */
const struct verb *usage_verb(const char *name);
bool usage_may_lack_operands(const struct verb *verb);

/* On standard output. */
void usage_show_verbs(void);
void usage_show_verb(const struct verb *verb);
/* All verbs and their options for programs, a line each with tabs between: completions are made of it. */
void usage_list(void);

#endif

/* wrappers/compiles.h - is a command one that can compile? */
#ifndef WRAPPERS_COMPILES_H
#define WRAPPERS_COMPILES_H

#include <stdbool.h>

/* Only what is known never to compile is told apart: a shell, a script, make or a name that nobody knows
 * may start a compiler. */
bool compiles_can(const char *const *argv);

#endif

/* plugins/common/bare/bare.h - what arms share that make no namespaces: the copy is shown at its own place. */
#ifndef BARE_BARE_H
#define BARE_BARE_H

#include <pinfold/arm.h>

/* The same place in the copy as the command's working directory is in the tree; NULL where it is not in it. */
const char *bare_directory(const struct pinfold_host *host, const struct pinfold_shown *shown);

#endif

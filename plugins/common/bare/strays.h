/* plugins/common/bare/strays.h - whether a supervisor that makes no namespaces finds all that a command started. */
#ifndef BARE_STRAYS_H
#define BARE_STRAYS_H

/* Why not, or NULL. Makes the calling process, which is a probe's own, the parent of what its children leave. */
const char *strays_trouble(void);

#endif

/* registry/symbol.h - whose a module's symbol is, and how long, by the file and not by its word. */
#ifndef REGISTRY_SYMBOL_H
#define REGISTRY_SYMBOL_H

#include <stddef.h>

/* The bytes of the object at `symbol` in the opened `module`, or why that is none of its own. NULL or the
 * reason. */
const char *symbol_bytes(void *module, const void *symbol, size_t *ret_bytes);

#endif

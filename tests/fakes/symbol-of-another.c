/* fakes/symbol-of-another.c - has no symbol of its own, but needs a library that exports one. */
#define FAKE_WITHOUT_SYMBOL
#include "fake.h"

PINFOLD_API extern const void *uses_the_library;
const void *uses_the_library = &pinfold_plugin;

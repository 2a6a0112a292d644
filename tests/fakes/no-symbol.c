/* fakes/no-symbol.c - a shared object, but not a plugin. */
#define FAKE_WITHOUT_SYMBOL
#include "fake.h"

PINFOLD_API extern const int something_else;
const int something_else = 1;

/* fakes/claims-too-much.c - says that it is newer and longer than its own symbol is. */
#define FAKE_NAME "claims-too-much"
#define FAKE_MINOR (PINFOLD_PLUGIN_MINOR + 1)
#define FAKE_SIZE 4096
#include "fake.h"

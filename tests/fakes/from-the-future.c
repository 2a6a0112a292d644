/* fakes/from-the-future.c - built for the next major version of the interface. */
#define FAKE_NAME "from-the-future"
#define FAKE_MAJOR (PINFOLD_PLUGIN_MAJOR + 1)
#include "fake.h"

/* fakes/name-differs.c - calls itself otherwise than its file is called. */
#define FAKE_NAME "name-differs"
#define FAKE_CALLS_ITSELF "good"
#include "fake.h"

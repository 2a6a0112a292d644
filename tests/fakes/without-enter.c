/* fakes/without-enter.c - an arm that could not confine anything. */
#define FAKE_NAME "without-enter"
#define FAKE_ENTER NULL
#include "fake.h"

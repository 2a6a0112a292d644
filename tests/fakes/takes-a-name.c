/* fakes/takes-a-name.c - has an arm whose name another module has taken. */
#define FAKE_NAME "takes-a-name"
#define FAKE_ARM_NAME "good"
#include "fake.h"

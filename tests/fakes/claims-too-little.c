/* fakes/claims-too-little.c - says that it ends before its name. */
#define FAKE_NAME "claims-too-little"
#define FAKE_SIZE 8
#include "fake.h"

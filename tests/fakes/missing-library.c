/* fakes/missing-library.c - needs a library that is not there when it is loaded. */
#define FAKE_NAME "missing-library"
#define FAKE_ENTER enter_library
#include <pinfold/arm.h>

int function_of_a_library(void);

static int enter_library(const struct pinfold_plan *plan, uint32_t stage)
{
	(void)plan;
	(void)stage;
	return function_of_a_library();
}

#include "fake.h"

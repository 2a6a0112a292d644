/* fakes/undefined-function.c - calls a function that nobody has. */
#define FAKE_NAME "undefined-function"
#define FAKE_ENTER enter_nowhere
#include <pinfold/arm.h>

int function_that_nobody_has(void);

static int enter_nowhere(const struct pinfold_plan *plan, uint32_t stage)
{
	(void)plan;
	(void)stage;
	return function_that_nobody_has();
}

#include "fake.h"

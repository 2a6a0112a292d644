/* fakes/fails-in-enter.c - its hook enter fails at every stage. */
#define FAKE_NAME "fails-in-enter"
#define FAKE_ENTER fail_always
#include <pinfold/arm.h>

static int fail_always(const struct pinfold_plan *plan, uint32_t stage)
{
	(void)plan;
	(void)stage;
	return -28;
}

#include "fake.h"

/* cage/steps.h - what is said when a step in the child has failed. */
#ifndef CAGE_STEPS_H
#define CAGE_STEPS_H

#include "cage/child.h"

int steps_fault(const struct launch *launch, uint32_t step, int sys, struct pinfold_error *err);

#endif

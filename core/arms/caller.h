/* arms/caller.h - what of the caller decides about an offer. */
#ifndef ARMS_CALLER_H
#define ARMS_CALLER_H

#include "base/text.h"

/* Adds lines that differ wherever something that confines the caller, or lets it confine others, does. */
void caller_add(struct text *stamp);

#endif

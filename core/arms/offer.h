/* arms/offer.h - an offer as bytes, for a pipe or a record, and whether it makes sense. */
#ifndef ARMS_OFFER_H
#define ARMS_OFFER_H

#include "base/arena.h"
#include "base/text.h"

#include <pinfold/arm.h>

enum { OFFER_TEXT_MOST = 4096 };	/* of each text; what is longer is cut */

/* Every axis that this host knows. */
#define OFFER_AXES ((UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1)

/* "a, b, and c" of the axes in a set. */
void offer_add_axes(struct text *text, uint64_t axes);

void offer_write(struct text *text, const struct pinfold_offer *offer);
/* 0 with texts in the arena, or -1: not an offer's bytes. */
int offer_read(struct arena *arena, const void *bytes, size_t count,
	       struct pinfold_offer *ret_offer);
/* Makes a refusal of it. The texts must live as long as the offer. */
void offer_refuse(struct pinfold_offer *offer, const char *missing, const char *lift);
/* Turns an offer that makes no sense into a refusal that says why, and takes away the promises that
 * this host does not know. */
void offer_settle(struct arena *arena, struct pinfold_offer *offer, const char *name);

#endif

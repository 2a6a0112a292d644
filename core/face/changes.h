/* face/changes.h - what a command changed, as texts in memory. */
#ifndef FACE_CHANGES_H
#define FACE_CHANGES_H

#include "base/text.h"

#include <pinfold/pinfold.h>
#include <stdbool.h>

struct changes_texts {
	struct text list, patch;	/* JSON; git's unified format, with what a terminal would obey shown as \xNN */
	bool list_cut, patch_cut;	/* it was too long to be kept, and ends somewhere */
	uint64_t count;
};

int changes_read(struct pinfold *pinfold, const struct pinfold_review *review, struct changes_texts *ret_texts,
		 struct pinfold_error *err);
void changes_texts_release(struct changes_texts *texts);

#endif

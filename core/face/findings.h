/* face/findings.h - what is kept of a tree, opened, and the changes that were found in it. */
#ifndef FACE_FINDINGS_H
#define FACE_FINDINGS_H

#include "tree/apply.h"
#include "tree/kept.h"

#include <pinfold/pinfold.h>
#include <stdbool.h>

struct finding {
	struct kept_part *part;
	struct changes changes;
	bool named;	/* a path in it was asked for */
};

/* Locked while it is open. Parts in which nothing was asked for are left out. */
struct findings {
	struct kept *kept;
	struct finding *items;
	size_t count, changes;	/* the latter of all items together */
	struct apply_part *parts;	/* of each item, as apply_run wants them */
	struct list paths;	/* what was asked for, canonical; none: all */
};

/* The caller's structure, whatever version of the header it was built with. */
int findings_review(const struct pinfold_review *from, struct pinfold_review *ret_review,
		    struct pinfold_error *err);
/* Of the directory, or of the nearest one above it of which something is kept. An apply that was cut off is
 * taken back or brought to its end first. */
int findings_open(struct pinfold *pinfold, const struct pinfold_review *review,
		  struct findings *ret_findings, struct pinfold_error *err);
void findings_close(struct findings *findings);

#endif

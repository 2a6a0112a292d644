/* face/discard.c - dropping what a command changed. */
#include "config.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "face/face.h"
#include "face/findings.h"
#include "tree/put_back.h"

#include <stdlib.h>
#include <string.h>

/* Of the directory, or of the nearest one above it of which something is kept. */
static int discard_nearest(const struct config *config, char *path, const char *session,
			   struct pinfold_error *err)
{
	struct pinfold_error first = { 0 }, further;
	if (kept_discard(config, path, session, &first) == 0)
		return 0;
	for (char *slash; first.code == PINFOLD_E_SESSION && (slash = strrchr(path, '/')) && slash > path;) {
		*slash = '\0';
		further = (struct pinfold_error){ 0 };
		if (kept_discard(config, path, session, &further) == 0)
			return 0;
		if (further.code != PINFOLD_E_SESSION)
			first = further;
	}
	if (err)
		*err = first;
	return -1;
}

static int discard_all(struct pinfold *pinfold, const struct pinfold_review *review,
		       struct pinfold_error *err)
{
	struct directory directory = { .fd = -1 };
	if (directory_open(review->directory, &directory, err) < 0)
		return -1;
	int result = discard_nearest(pinfold->config, directory.path, review->session, err);
	directory_release(&directory);
	return result;
}

static int discard_some(struct pinfold *pinfold, const struct pinfold_review *review, struct pinfold_error *err)
{
	struct findings findings;
	if (findings_open(pinfold, review, &findings, err) < 0)
		return -1;
	auto_free struct put_back_item *items = calloc(findings.count + 1, sizeof(*items));
	for (size_t i = 0; items && i < findings.count; i++)
		items[i] = (struct put_back_item){ findings.items[i].part, &findings.items[i].changes };
	int result = items ? put_back(findings.kept, items, findings.count, err) : fault_no_memory(err);
	findings_close(&findings);
	return result;
}

int pinfold_discard(struct pinfold *pinfold, const struct pinfold_review *given,
		    struct pinfold_error *err)
{
	struct pinfold_review review = { 0 };
	if (findings_review(given, &review, err) < 0)
		return -1;
	if (!review.paths || !review.paths[0])
		return discard_all(pinfold, &review, err);
	return discard_some(pinfold, &review, err);
}

/* face/views.h - what the views of this machine can do, and which was passed over. */
#ifndef FACE_VIEWS_H
#define FACE_VIEWS_H

#include "face/face.h"
#include "face/present.h"

/* Every view of every module, with what it lacks; the plugins are locked. */
struct document views_probe(struct pinfold *pinfold);
void views_render(struct text *text, const json_t *views, bool colour);

/* A view that the tree is too large for says so only when much of it was copied. So that is remembered for
 * a day, where another view follows in the preference: true when this one was passed over before, which
 * is then noted as it was. */
bool passed_recall(struct pinfold_run *run, const char *name);
/* Notes that the view is passed over, and why; 0, or -1 when memory is gone. */
int passed_note(struct pinfold_run *run, const char *name, const struct pinfold_error *why,
		struct pinfold_error *err);

#endif

/* face/present.h - one set of facts as JSON, or as a person reads it. */
#ifndef FACE_PRESENT_H
#define FACE_PRESENT_H

#include "base/text.h"
#include "report/document.h"
#include "report/table.h"

/* Takes the facts, whatever comes of it. `render` makes the text for a person. */
int present(struct document *facts, uint32_t form,
	    void (*render)(struct text *text, const json_t *facts, bool colour),
	    char **ret_document, struct pinfold_error *err);

/* What a person sees of a member: its text, the items of a list as "a, b", or "" for nothing. Lives
 * until the next call with the same text, which is emptied first. */
const char *present_member(struct text *room, const json_t *object, const char *member);
/* The rows "label  value" of the members that say something. */
struct present_row {
	const char *member, *label;
};
void present_rows(struct table *table, const json_t *object, const struct present_row *rows,
		  size_t count);
/* One such row of two columns, in as many lines as its value takes. */
void present_row(struct table *table, const char *label, const char *value);
/* An error that is one of the facts. */
void present_error(struct text *text, const json_t *error, bool colour);

#endif

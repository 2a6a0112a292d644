/* face/document.h - facts as JSON, from which every other form of a document is made. */
#ifndef FACE_DOCUMENT_H
#define FACE_DOCUMENT_H

#include "base/list.h"
#include "base/text.h"

#include <jansson.h>
#include <pinfold/pinfold.h>
#include <stdbool.h>

/* Each makes a value for json_pack's "o", NULL when memory is gone. Bytes that are not UTF-8 are
 * written as \xNN. A NULL text is JSON's null. */
json_t *document_text(const char *text);
json_t *document_list(const struct list *list);
json_t *document_strings(const char *const *strings);
json_t *document_axes(uint64_t bits);
json_t *document_error(const struct pinfold_error *err);

/* Writes the facts in the form that is wanted, `render` being how a person reads them. Takes `facts`,
 * which may be NULL where memory is gone. */
int document_write(json_t *facts, uint32_t form,
		   void (*render)(struct text *text, const json_t *facts, bool colour),
		   char **ret_document, struct pinfold_error *err);

/* For rendering: a member's string ("" where it is none), quoted for a person. */
void document_add_quoted(struct text *text, const json_t *object, const char *member);
/* A list of strings as "a, b"; "-" for none. */
void document_add_list(struct text *text, const json_t *list);
/* "strong", "good", "bad" set a colour for what follows, "" ends it; nothing without colour. */
void document_add_colour(struct text *text, bool colour, const char *which);

#endif

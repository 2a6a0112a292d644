/* report/document.h - facts as JSON.
 *
 * A document is one JSON value that is being made. Running out of memory is remembered in it and said
 * once, by document_write: nothing between need look.
 *
 * Bytes that are not UTF-8 (file names, arguments) cannot be a JSON string. Where text is valid it is
 * a string; where it is not it is an object: {"text": "a\\xff", "hex": "61ff"}, the text as a person
 * would be shown it, the hexadecimal bytes exactly. Nothing is lost, and the two cannot be confused.
 * Everything outside ASCII is written as an escape, so that no terminal obeys what it is shown.
 */
#ifndef REPORT_DOCUMENT_H
#define REPORT_DOCUMENT_H

#include <pinfold/error.h>

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct document {
	json_t *root;
	bool failed;
};

struct document document_object(void);
struct document document_list(void);

/* Members of an object and items of a list. The value is taken; NULL means that memory was gone. */
void document_put(struct document *object, const char *key, json_t *value);
void document_add(struct document *list, json_t *value);
/* The same with a document, which is taken and empty afterwards. */
void document_put_document(struct document *object, const char *key, struct document *value);
void document_add_document(struct document *list, struct document *value);

/* Values. NULL text is null. */
json_t *document_text(const char *bytes);
json_t *document_number(uint64_t number);	/* past what JSON can hold in 63 bits: the most it can */
json_t *document_flag(bool flag);
/* A list of texts, NULL-terminated; NULL is the empty list. */
json_t *document_texts(const char *const *texts);
/* {"code", "action", "subject", "recovery", "errno"}; NULL or no error is null. */
json_t *document_error(const struct pinfold_error *err);

/* The document as indented text with a newline at its end. The document is empty afterwards. */
int document_write(struct document *document, char **ret_text, struct pinfold_error *err);
/* The same on one line, without a newline. */
int document_write_line(struct document *document, char **ret_text, struct pinfold_error *err);
void document_release(struct document *document);

#endif

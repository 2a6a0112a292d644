/* cli/serve_answers.h - answers and events as they go out: a line of JSON each, however slow the reader is. */
#ifndef CLI_SERVE_ANSWERS_H
#define CLI_SERVE_ANSWERS_H

#include <jansson.h>
#include <pinfold/error.h>
#include <stdbool.h>
#include <stddef.h>

struct answers {
	char *data;
	size_t from, length, room;
	bool broken;	/* nobody reads any more, or memory is gone: nothing more is kept */
};

/* Takes the object. */
void answers_add(struct answers *answers, json_t *object);
/* Writes what goes without waiting, when the descriptor is ready. */
void answers_write(struct answers *answers, int fd);
void answers_release(struct answers *answers);

/* {"id": …, "event": …}; `id` is borrowed, NULL: null. */
json_t *answer_new(json_t *id, const char *event);
/* Takes the value; NULL is null. */
void answer_put(json_t *object, const char *name, json_t *value);
json_t *answer_error(const struct pinfold_error *err);
/* A string where the bytes are one; else an object with them in hexadecimal digits. */
json_t *answer_bytes(const char *bytes, size_t count);
/* A document of the library's, or null. */
json_t *answer_document(const char *document);

#endif

/* cli/serve_answers.c - answers and events as they go out. */
#include "config.h"

#include "serve_answers.h"

#include <errno.h>
#include <pinfold/pinfold.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A pipe that is ready takes this much without making the writer wait. */
enum { PORTION = 4096 };

static int make_room(struct answers *answers, size_t more)
{
	if (answers->from > 0)
		memmove(answers->data, answers->data + answers->from, answers->length);
	answers->from = 0;
	if (answers->room - answers->length >= more)
		return 0;
	size_t room = answers->length + more + answers->room / 2;
	char *data = realloc(answers->data, room);
	if (!data)
		return -1;
	answers->data = data;
	answers->room = room;
	return 0;
}

static void add_line(struct answers *answers, const char *line, size_t length)
{
	if (make_room(answers, length + 1) < 0) {
		answers->broken = true;
		return;
	}
	memcpy(answers->data + answers->length, line, length);
	answers->data[answers->length + length] = '\n';
	answers->length += length + 1;
}

/* An answer that is lost would leave the client waiting: without memory for it the server must end. */
void answers_add(struct answers *answers, json_t *object)
{
	char *line = object ? json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
	if (!line)
		answers->broken = true;
	else if (!answers->broken)
		add_line(answers, line, strlen(line));
	free(line);
	json_decref(object);
}

static ssize_t put(int fd, const char *data, size_t count)
{
	ssize_t sent = send(fd, data, count, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (sent >= 0 || errno != ENOTSOCK)
		return sent;
	return write(fd, data, count < PORTION ? count : PORTION);
}

void answers_write(struct answers *answers, int fd)
{
	if (answers->length == 0)
		return;
	ssize_t sent = put(fd, answers->data + answers->from, answers->length);
	if (sent < 0) {
		answers->broken = answers->broken || (errno != EINTR && errno != EAGAIN);
		return;
	}
	answers->from += (size_t)sent;
	answers->length -= (size_t)sent;
	if (answers->length == 0)
		answers_release(answers);
}

void answers_release(struct answers *answers)
{
	bool broken = answers->broken;
	free(answers->data);
	*answers = (struct answers){ .broken = broken };
}

json_t *answer_new(json_t *id, const char *event)
{
	json_t *object = json_object();
	answer_put(object, "id", id ? json_incref(id) : json_null());
	answer_put(object, "event", json_string(event));
	return object;
}

void answer_put(json_t *object, const char *name, json_t *value)
{
	json_object_set_new(object, name, value ? value : json_null());
}

static json_t *hexadecimal(const char *bytes, size_t count)
{
	static const char digits[] = "0123456789abcdef";
	json_t *object = json_object();
	char *text = malloc(2 * count + 1);
	for (size_t i = 0; text && i < count; i++) {
		text[2 * i] = digits[(unsigned char)bytes[i] >> 4];
		text[2 * i + 1] = digits[(unsigned char)bytes[i] & 15];
	}
	answer_put(object, "hex", text ? json_stringn(text, 2 * count) : NULL);
	free(text);
	return object;
}

json_t *answer_bytes(const char *bytes, size_t count)
{
	json_t *string = memchr(bytes, '\0', count) ? NULL : json_stringn(bytes, count);
	return string ? string : hexadecimal(bytes, count);
}

json_t *answer_error(const struct pinfold_error *err)
{
	json_t *object = json_object();
	answer_put(object, "code", json_string(pinfold_code_name(err->code)));
	answer_put(object, "action", answer_bytes(err->action, strlen(err->action)));
	answer_put(object, "subject", answer_bytes(err->subject, strlen(err->subject)));
	answer_put(object, "recovery", answer_bytes(err->recovery, strlen(err->recovery)));
	answer_put(object, "errno", json_integer(err->sys));
	return object;
}

json_t *answer_document(const char *document)
{
	return document ? json_loads(document, 0, NULL) : NULL;
}

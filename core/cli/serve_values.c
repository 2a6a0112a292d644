/* cli/serve_values.c - what the members of a request may be. */
#include "config.h"

#include "serve_values.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char action[] = "read the request";

int value_refuse(struct pinfold_error *err, const char *member, const char *recovery)
{
	return pinfold_fail(err, PINFOLD_E_USAGE, 0, action, member, recovery);
}

int value_texts(const json_t *value, const char *name, const char ***ret_texts, struct pinfold_error *err)
{
	size_t index, count = json_array_size(value);
	json_t *item;
	if (!json_is_array(value))
		return value_refuse(err, name, "give an array of strings");
	const char **texts = calloc(count + 1, sizeof(*texts));
	if (!texts)
		return value_refuse(err, name, "free memory on this machine");
	free(*ret_texts);
	*ret_texts = texts;
	json_array_foreach(value, index, item) {
		texts[index] = json_string_value(item);
		if (!texts[index])
			return value_refuse(err, name, "give an array of strings");
	}
	return 0;
}

int value_text(const json_t *value, const char *name, const char **ret_text, struct pinfold_error *err)
{
	*ret_text = json_string_value(value);
	return *ret_text ? 0 : value_refuse(err, name, "give a string");
}

int value_flag(const json_t *value, const char *name, bool *ret_flag, struct pinfold_error *err)
{
	*ret_flag = json_is_true(value);
	return json_is_boolean(value) ? 0 : value_refuse(err, name, "give true or false");
}

int value_number(const json_t *value, const char *name, uint64_t most, uint64_t *ret_number,
		       struct pinfold_error *err)
{
	char recovery[64];
	json_int_t number = json_integer_value(value);
	if (json_is_integer(value) && number >= 0 && (uint64_t)number <= most) {
		*ret_number = (uint64_t)number;
		return 0;
	}
	snprintf(recovery, sizeof(recovery), "give a whole number from 0 to %llu", (unsigned long long)most);
	return value_refuse(err, name, recovery);
}

int value_where(const char *where, uint32_t *ret_where, struct pinfold_error *err)
{
	bool host = strcmp(where, "host") == 0;
	*ret_where = host ? PINFOLD_WHERE_HOST : PINFOLD_WHERE_SANDBOX;
	return host || strcmp(where, "sandbox") == 0 ? 0 : value_refuse(err, "where", "give one of: sandbox, host");
}

int value_signal(const json_t *value, int *ret_number, struct pinfold_error *err)
{
	const char *name = json_string_value(value);
	if (name && strncmp(name, "SIG", 3) == 0)
		name += 3;
	for (int number = 1; number < NSIG; number++) {
		const char *known = sigabbrev_np(number);
		if ((name && known && strcmp(name, known) == 0) ||
		    (json_is_integer(value) && json_integer_value(value) == number)) {
			*ret_number = number;
			return 0;
		}
	}
	return value_refuse(err, "signal", "give a signal's name or number, such as \"TERM\" or 15");
}

/* --- streams -------------------------------------------------------------------------------------- */
static bool is_among(const int *descriptors, int wanted)
{
	for (; *descriptors >= 0; descriptors++)
		if (*descriptors == wanted)
			return true;
	return false;
}

int value_descriptor(const json_t *value, const char *name, const int *inherited, int *ret_descriptor,
			   struct pinfold_error *err)
{
	json_int_t number = json_integer_value(value);
	if (!json_is_integer(value) || number < 3 || number > 1 << 20 || !is_among(inherited, (int)number))
		return value_refuse(err, name, "name a descriptor from 3 on that was handed to `pinfold serve`");
	*ret_descriptor = (int)number;
	return 0;
}

static int read_stream_word(const char *word, int number, struct stream_order *stream,
			    struct pinfold_error *err)
{
	static const char *const names[] = { "stdin", "stdout", "stderr" };
	static const char *const words[] = { "give \"null\", or an object: see pinfold-serve(1)",
					     "give \"null\", \"capture\", or an object",
					     "give \"null\", \"capture\", \"inherit\", or an object" };
	if (strcmp(word, "null") == 0)
		stream->source = SOURCE_NULL;
	else if (number > 0 && strcmp(word, "capture") == 0)
		stream->source = SOURCE_CAPTURE;
	else if (number == 2 && strcmp(word, "inherit") == 0)
		stream->source = SOURCE_INHERIT;
	else
		return value_refuse(err, names[number], words[number]);
	return 0;
}

static int read_stream_member(const char *member, const json_t *value, int number, const int *inherited,
			      struct stream_order *stream, struct pinfold_error *err)
{
	if (strcmp(member, "file") == 0) {
		stream->source = SOURCE_FILE;
		return value_text(value, "file", &stream->text, err);
	}
	if (strcmp(member, "descriptor") == 0) {
		stream->source = SOURCE_DESCRIPTOR;
		return value_descriptor(value, "descriptor", inherited, &stream->descriptor, err);
	}
	if (strcmp(member, "append") == 0 && number > 0)
		return value_flag(value, "append", &stream->append, err);
	if (strcmp(member, "text") == 0 && number == 0) {
		stream->source = SOURCE_TEXT;
		stream->length = json_string_length(value);
		return value_text(value, "text", &stream->text, err);
	}
	return value_refuse(err, member, "a stream is {\"file\": PATH} or {\"descriptor\": N}; "
				   "standard input also {\"text\": …}");
}

int value_stream(const json_t *value, int number, const int *inherited, struct stream_order *stream,
		       struct pinfold_error *err)
{
	const char *member;
	json_t *item;
	size_t sources = 0;
	if (json_is_string(value))
		return read_stream_word(json_string_value(value), number, stream, err);
	json_object_foreach((json_t *)value, member, item) {
		if (read_stream_member(member, item, number, inherited, stream, err) < 0)
			return -1;
		sources += strcmp(member, "append") != 0;
	}
	if (!json_is_object(value) || sources != 1)
		return value_refuse(err, number == 0 ? "stdin" : number == 1 ? "stdout" : "stderr",
			      "give one place that it is read from or written to");
	return 0;
}

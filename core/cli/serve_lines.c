/* cli/serve_lines.c - requests as they come in: lines of a bounded length. */
#include "config.h"

#include "serve_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ_MOST = 64 * 1024 };

static int make_room(struct lines *lines)
{
	if (lines->from > 0)
		memmove(lines->data, lines->data + lines->from, lines->length);
	lines->from = 0;
	if (lines->room - lines->length > READ_MOST)
		return 0;
	size_t room = lines->length + 2 * READ_MOST;
	char *data = realloc(lines->data, room);
	if (!data)
		return -1;
	lines->data = data;
	lines->room = room;
	return 0;
}

int lines_fill(struct lines *lines, int fd)
{
	if (make_room(lines) < 0)
		return -1;
	ssize_t got = read(fd, lines->data + lines->length, READ_MOST);
	if (got < 0)
		return errno == EINTR || errno == EAGAIN ? 0 : -1;
	lines->ended = got == 0;
	lines->length += (size_t)got;
	return 0;
}

/* What has no end yet: kept, or given up when it is too long. */
static enum line_kind unfinished(struct lines *lines)
{
	bool told = lines->skipping, half = lines->ended && lines->length > 0;
	if (!half && lines->length <= LINE_MOST && !told)
		return LINE_NONE;
	lines->length = 0;
	lines->from = 0;
	lines->skipping = !lines->ended;
	if (told)
		return LINE_NONE;
	return half ? LINE_HALF : LINE_TOO_LONG;
}

enum line_kind lines_next(struct lines *lines, char **ret_line, size_t *ret_length)
{
	while (lines->length > 0) {
		char *line = lines->data + lines->from;
		char *end = memchr(line, '\n', lines->length);
		if (!end)
			return unfinished(lines);
		size_t length = (size_t)(end - line);
		bool skipped = lines->skipping;
		lines->from += length + 1;
		lines->length -= length + 1;
		lines->skipping = false;
		if (skipped)
			continue;
		if (length > LINE_MOST)
			return LINE_TOO_LONG;
		*end = '\0';
		*ret_line = line;
		*ret_length = length;
		return LINE_WHOLE;
	}
	return LINE_NONE;
}

void lines_release(struct lines *lines)
{
	free(lines->data);
	*lines = (struct lines){ 0 };
}

/* config/lines.c - an INI file line by line, by inih, without what inih would silently misread.
 *
 * inih cuts a line of 200 bytes and takes the rest for a new one, cuts names at 49 letters, gives the
 * keys below a broken section line to the section before it, keeps the comment of a continuation
 * line, and goes on after an error. It gets its lines from here, and only those that mean one thing.
 */
#include "config/lines.h"

#include "base/fault.h"
#include "base/text.h"
#include "config/keys.h"

#include <ini.h>

struct lines {
	const char *at, *end;
	struct place *place;
	const struct lines_sink *sink;
	void *context;
	struct pinfold_error *err;
	bool failed;
	bool continued;		/* the line at hand belongs to the entry above it */
	bool in_section, in_entry;
};

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

static bool starts_comment(char byte)
{
	return byte == ';' || byte == '#';
}

bool lines_allow(unsigned char byte)
{
	return byte == '\t' || (byte >= 0x20 && byte != 0x7f);
}

/* The first `mark` after a blank, or the end of the line: where inih sees a comment begin. */
static const char *find_after_blank(const char *line, char mark)
{
	const char *at = strchr(line, mark);
	while (at && (at == line || !is_blank(at[-1])))
		at = strchr(at + 1, mark);
	return at ? at : line + strlen(line);
}

/* Is each of eight bytes a plain one: neither a control character nor a tab? A byte past 0x7f counts
 * as plain; the byte above one that is not may be taken for such another. */
static bool are_plain(const char *bytes)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t word, erased;
	memcpy(&word, bytes, sizeof(word));
	erased = word ^ ones * 0x7f;
	uint64_t control = (word - ones * 0x20) & ~word, erases = (erased - ones) & ~erased;
	return !((control | erases) & ones * 0x80);
}

static int check_bytes(const struct lines *lines, const char *line, size_t length)
{
	size_t start = 0;
	while (length - start >= sizeof(uint64_t) && are_plain(line + start))
		start += sizeof(uint64_t);
	for (size_t i = start; i < length; i++)
		if (!lines_allow((unsigned char)line[i]))
			return place_fault(*lines->place, lines->err, "write the file as plain text",
					   "the control character 0x%02x", (unsigned char)line[i]);
	return 0;
}

static int check_section_line(struct lines *lines, char *line)
{
	char *end = strchr(line, ']');
	const char *rest = end ? end + 1 : "";
	rest += strspn(rest, " \t");
	if (!end || (*rest && !starts_comment(*rest)))
		return place_fault(*lines->place, lines->err,
				   "write the section as `[name]`, alone on its line",
				   "a broken section line: %s", line);
	if (end - line - 1 > KEY_NAME_MOST)
		return place_fault(*lines->place, lines->err, "check the name",
				   "a section's name of more than %d letters", KEY_NAME_MOST);
	lines->in_section = true;
	lines->in_entry = false;
	*end = '\0';
	int result = lines->sink->section(lines->context, line + 1, lines->err);
	*end = ']';
	return result;
}

static int check_continuation(struct lines *lines, const char *line)
{
	const char *text = line + strspn(line, " \t");
	if (!lines->in_entry || *text == '[')
		return place_fault(*lines->place, lines->err,
				   "remove the space at the start of the line",
				   "an indented line continues the value above it; this one cannot: %s",
				   text);
	if (*find_after_blank(line, ';'))
		return place_fault(*lines->place, lines->err, "put the comment on a line of its own",
				   "a comment after a continued value would become a part of it");
	lines->continued = true;
	return 0;
}

/* A `#` after a blank looks like a comment and is none: the value would quietly have more in it. */
static int check_hash(const struct lines *lines, const char *line)
{
	const char *hash = find_after_blank(line, '#');
	if (*hash && hash < find_after_blank(line, ';'))
		return place_fault(*lines->place, lines->err,
				   "put the comment on a line of its own, or begin it with ` ;`",
				   "` #` after a value does not begin a comment");
	return 0;
}

/* Blanks, or a comment? */
static bool says_nothing(const char *line, size_t length)
{
	size_t blanks = 0;
	while (blanks < length && is_blank(line[blanks]))
		blanks++;
	return blanks == length || starts_comment(line[blanks]);
}

static int check_line(struct lines *lines, char *line)
{
	if (*line == '[')
		return check_section_line(lines, line);
	if (check_hash(lines, line) < 0)
		return -1;
	if (is_blank(*line))
		return check_continuation(lines, line);
	if (!lines->in_section)
		return place_fault(*lines->place, lines->err,
				   "put a section line such as `[pinfold]` above it",
				   "a line before the first section: %s", line);
	lines->in_entry = true;
	return 0;
}

/* Copies the next line without its end into `room`: 0, or -1 when it must not be read. */
static int take_line(struct lines *lines, char *room, size_t size)
{
	const char *newline = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
	const char *end = newline ? newline : lines->end;
	const char *start = lines->at;
	lines->at = newline ? newline + 1 : lines->end;
	lines->place->line++;
	if (lines->place->line == 1 && end - start >= 3 && memcmp(start, "\xef\xbb\xbf", 3) == 0)
		start += 3;
	if (end > start && end[-1] == '\r')
		end--;
	size_t length = (size_t)(end - start);
	if (length > LINES_LENGTH_MOST || length >= size)
		return place_fault(*lines->place, lines->err,
				   "break the list into continuation lines or repeat the key",
				   "a line of %zu bytes, more than %d", length, LINES_LENGTH_MOST);
	if (check_bytes(lines, start, length) < 0)
		return -1;
	lines->continued = false;
	if (says_nothing(start, length))
		length = 0;	/* inih would only walk over it */
	memcpy(room, start, length);
	room[length] = '\0';
	return length > 0 ? check_line(lines, room) : 0;
}

static char *next_line(char *room, int size, void *stream)
{
	struct lines *lines = stream;
	if (lines->failed || lines->at == lines->end)
		return NULL;
	if (take_line(lines, room, (size_t)size) < 0) {
		lines->failed = true;
		return NULL;
	}
	return room;
}

/* inih's handler: 1 goes on, 0 is an error. */
static int take_entry(void *user, const char *section, const char *name, const char *value)
{
	struct lines *lines = user;
	if (lines->failed)
		return 0;
	if (lines->sink->entry(lines->context, section, name, value, lines->continued,
			       lines->err) < 0)
		lines->failed = true;
	return !lines->failed;
}

int lines_parse(const char *data, size_t bytes, struct place *place, const struct lines_sink *sink,
		void *context, struct pinfold_error *err)
{
	struct lines lines = {
		.at = data, .end = data + bytes, .place = place, .sink = sink, .context = context,
		.err = err,
	};
	int bad = ini_parse_stream(next_line, &lines, take_entry, &lines);
	if (bad < 0)
		return fault_no_memory(err);
	if (bad > 0 && (!lines.failed || (unsigned)bad < place->line)) {
		place->line = (unsigned)bad;
		return place_fault(*place, err, "write `key = value`, or begin a comment with `#`",
				   "neither a section nor `key = value`");
	}
	return lines.failed ? -1 : 0;
}

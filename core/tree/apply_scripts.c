/* tree/apply_scripts.c - the scripts in a description of a package, found without trusting its form. */
#include "config.h"

#include "tree/apply_risky.h"

#include "base/text.h"

struct reading {
	const char *at, *end;
	bool failed;
};

enum { MOST_LEVELS = 200 };

static void skip_blanks(struct reading *reading)
{
	while (reading->at < reading->end && strchr(" \t\r\n", *reading->at) && *reading->at)
		reading->at++;
}

static char next(struct reading *reading)
{
	skip_blanks(reading);
	return reading->at < reading->end ? *reading->at : '\0';
}

static bool take(struct reading *reading, char wanted)
{
	if (next(reading) != wanted)
		return false;
	reading->at++;
	return true;
}

static void skip_string(struct reading *reading)
{
	if (!take(reading, '"'))
		reading->failed = true;
	while (!reading->failed && reading->at < reading->end && *reading->at != '"')
		reading->at += *reading->at == '\\' ? 2 : 1;
	if (reading->at >= reading->end)
		reading->failed = true;
	else
		reading->at++;
}

/* A value, whatever it is: brackets are counted, not matched, for only its extent matters. */
static void skip_value(struct reading *reading)
{
	int level = 0;
	do {
		char letter = next(reading);
		if (letter == '"')
			skip_string(reading);
		else if (letter == '{' || letter == '[')
			level++, reading->at++;
		else if (letter == '}' || letter == ']')
			level--, reading->at++;
		else if (letter == '\0')
			reading->failed = true;
		else
			reading->at++;
		if (level == 0 && letter != '"' && letter != '}' && letter != ']')
			while (reading->at < reading->end && !strchr(",}] \t\r\n", *reading->at))
				reading->at++;
	} while (level > 0 && level < MOST_LEVELS && !reading->failed);
	reading->failed = reading->failed || level != 0;
}

/* Appends the values of all members `scripts` of the object, in order: readers differ in which of two
 * with one name counts. A name with an escape could be any: it counts as well. */
static bool add_scripts(const char *text, size_t bytes, struct text *scripts)
{
	struct reading reading = { .at = text, .end = text + bytes };
	if (!take(&reading, '{'))
		return false;
	if (take(&reading, '}'))
		return next(&reading) == '\0';
	do {
		next(&reading);
		const char *name = reading.at;
		skip_string(&reading);
		size_t length = (size_t)(reading.at - name);
		bool wanted = !reading.failed && (memchr(name, '\\', length) ||
						  (length == 9 && memcmp(name, "\"scripts\"", 9) == 0));
		reading.failed = reading.failed || !take(&reading, ':');
		next(&reading);
		const char *value = reading.at;
		if (!reading.failed)
			skip_value(&reading);
		if (wanted && !reading.failed)
			text_add_bytes(scripts, value, (size_t)(reading.at - value));
	} while (!reading.failed && take(&reading, ','));
	return !reading.failed && take(&reading, '}') && next(&reading) == '\0' &&
	       reading.at == reading.end;
}

bool risky_scripts_are_same(const char *before, size_t before_bytes, const char *after,
			    size_t after_bytes)
{
	struct text old = { 0 }, new = { 0 };
	bool same = (!before || add_scripts(before, before_bytes, &old)) &&
		    add_scripts(after, after_bytes, &new) && !old.failed && !new.failed &&
		    old.length == new.length &&
		    (old.length == 0 || memcmp(old.data, new.data, old.length) == 0);
	text_release(&old);
	text_release(&new);
	return same;
}

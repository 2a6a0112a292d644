/* base/text.c - strings: comparing, building, and the nearest known name. */
#include "base/text.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

bool ends_with(const char *text, const char *suffix)
{
	size_t length = strlen(text), tail = strlen(suffix);
	return length >= tail && streq(text + length - tail, suffix);
}

static bool make_room(struct text *text, size_t more)
{
	if (text->failed || more > SIZE_MAX / 4 - text->length) {
		text->failed = true;
		return false;
	}
	size_t wanted = text->length + more + 1;
	if (wanted <= text->room)
		return true;
	size_t room = text->room ? text->room * 2 : 64;
	if (room < wanted)
		room = wanted;
	char *data = realloc(text->data, room);
	if (!data) {
		text->failed = true;
		return false;
	}
	text->data = data;
	text->room = room;
	return true;
}

void text_add_bytes(struct text *text, const void *more, size_t bytes)
{
	if (!make_room(text, bytes))
		return;
	if (bytes > 0)	/* `more` may be NULL for nothing */
		memcpy(text->data + text->length, more, bytes);
	text->length += bytes;
	text->data[text->length] = '\0';
}

void text_add(struct text *text, const char *more)
{
	text_add_bytes(text, more, strlen(more));
}

/* Most texts are short: they are formatted once, into room that is likely to do. */
void text_addv(struct text *text, const char *format, va_list list)
{
	va_list again;
	va_copy(again, list);
	if (make_room(text, 64)) {
		size_t room = text->room - text->length;
		int length = vsnprintf(text->data + text->length, room, format, list);
		if (length >= 0 && (size_t)length >= room && make_room(text, (size_t)length))
			vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
		if (length < 0 || text->failed)
			text->data[text->length] = '\0';
		else
			text->length += (size_t)length;
	}
	va_end(again);
}

void text_addf(struct text *text, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	text_addv(text, format, list);
	va_end(list);
}

char *text_take(struct text *text)
{
	if (!text->data)
		text_add(text, "");
	char *data = text->failed ? NULL : text->data;
	if (text->failed)
		free(text->data);
	*text = (struct text){ 0 };
	return data;
}

void text_release(struct text *text)
{
	free(text->data);
	*text = (struct text){ 0 };
}

void text_add_enumeration(struct text *text, const char *const *items, size_t count)
{
	if (count == 0)
		text_add(text, "nothing");
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			text_add(text, count == 2 ? " and " : i + 1 == count ? ", and " : ", ");
		text_add(text, items[i]);
	}
}

/* The length of the valid, printable UTF-8 sequence at `at`, or 0. */
static size_t printable_sequence(const unsigned char *at)
{
	if (at[0] < 0x80)
		return at[0] >= 0x20 && at[0] != 0x7f;
	size_t length = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
	if (at[0] < 0xc2 || at[0] > 0xf4)
		return 0;
	uint32_t point = at[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (at[i] & 0x3f);
	}
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	bool control = point < 0xa0 || (point >= 0x200b && point <= 0x200f) ||
		       (point >= 0x2028 && point <= 0x202e) || (point >= 0x2060 && point <= 0x206f) ||
		       point == 0x61c || point == 0xfeff || (point >= 0xfff9 && point <= 0xfffb) || point >> 8 == 0xe00;
	bool surrogate = point >= 0xd800 && point <= 0xdfff;
	return point < least[length] || point > 0x10ffff || control || surrogate ? 0 : length;
}

void text_add_quoted(struct text *text, const char *bytes)
{
	for (const unsigned char *at = (const unsigned char *)bytes; *at;) {
		size_t length = printable_sequence(at);
		if (*at == '\n')
			text_add(text, "\\n");
		else if (length == 0)
			text_addf(text, "\\x%02x", *at);
		else
			text_add_bytes(text, at, length);
		at += length ? length : 1;
	}
}

const char *text_grouped(uint64_t number, char *room)
{
	char plain[24];
	size_t length = (size_t)snprintf(plain, sizeof(plain), "%" PRIu64, number);
	char *to = room;
	for (size_t i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			*to++ = ',';
		*to++ = plain[i];
	}
	*to = '\0';
	return room;
}

enum { NAME_ROOM = 64 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many letters must be changed, added, removed or swapped with the next; names past NAME_ROOM are
 * far from everything. */
static size_t distance(const char *a, const char *b)
{
	size_t rows = strlen(a), columns = strlen(b);
	if (rows >= NAME_ROOM || columns >= NAME_ROOM)
		return SIZE_MAX;
	size_t far[NAME_ROOM][NAME_ROOM];
	for (size_t i = 0; i <= rows; i++)
		for (size_t j = 0; j <= columns; j++) {
			if (i == 0 || j == 0) {
				far[i][j] = i + j;
				continue;
			}
			far[i][j] = least(far[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
					  least(far[i - 1][j], far[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				far[i][j] = least(far[i][j], far[i - 2][j - 2] + 1);
		}
	return far[rows][columns];
}

const char *text_nearest(const char *wanted, const char *const *names, size_t count)
{
	const char *nearest = NULL;
	size_t nearer = strlen(wanted) / 2 + 1;
	for (size_t i = 0; i < count; i++) {
		size_t far = distance(wanted, names[i]);
		if (far < nearer) {
			nearer = far;
			nearest = names[i];
		}
	}
	return nearest;
}

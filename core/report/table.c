/* report/table.c - columns for a person: aligned by what is seen, quoted, coloured on request. */
#include "report/table.h"

#include <stdlib.h>

struct table_cell {
	char *quoted;
	size_t width;
	enum paint paint;
};

static const char *const paints[] = {
	[PAINT_PLAIN] = "", [PAINT_STRONG] = "\033[1m", [PAINT_GOOD] = "\033[32m",
	[PAINT_BAD] = "\033[31m", [PAINT_FAINT] = "\033[2m",
	[PAINT_PLACE] = "\033[36m",
};

const char *paint_begin(enum paint paint)
{
	return paints[paint];
}

static void add_painted(struct text *text, bool colour, enum paint paint, const char *quoted)
{
	bool painted = colour && paint != PAINT_PLAIN && *quoted;
	text_add(text, painted ? paints[paint] : "");
	text_add(text, quoted);
	text_add(text, painted ? "\033[0m" : "");
}

void paint_add(struct text *text, bool colour, enum paint paint, const char *bytes)
{
	struct text quoted = { 0 };
	text_add_quoted(&quoted, bytes);
	char *safe = text_take(&quoted);
	if (safe)
		add_painted(text, colour, paint, safe);
	else
		text->failed = true;
	free(safe);
}

/* Ranges of code points that take no column, or two; all others take one. */
static const struct range {
	uint32_t first, last;
	unsigned columns;
} ranges[] = {
	{ 0x0300, 0x036f, 0 },	 { 0x1100, 0x115f, 2 },	  { 0x1ab0, 0x1aff, 0 },
	{ 0x1dc0, 0x1dff, 0 },	 { 0x20d0, 0x20ff, 0 },	  { 0x2e80, 0xa4cf, 2 },
	{ 0xac00, 0xd7a3, 2 },	 { 0xf900, 0xfaff, 2 },	  { 0xfe00, 0xfe0f, 0 },
	{ 0xfe30, 0xfe6f, 2 },	 { 0xff00, 0xff60, 2 },	  { 0xffe0, 0xffe6, 2 },
	{ 0x1f300, 0x1f64f, 2 }, { 0x1f900, 0x1f9ff, 2 }, { 0x20000, 0x3fffd, 2 },
};

static unsigned columns_of(uint32_t point)
{
	for (size_t i = 0; i < N_ELEMENTS(ranges); i++)
		if (point >= ranges[i].first && point <= ranges[i].last)
			return ranges[i].columns;
	return 1;
}

/* Quoted text is valid UTF-8: the first byte of a sequence says how long it is. */
size_t paint_width(const char *quoted)
{
	size_t width = 0;
	for (const unsigned char *at = (const unsigned char *)quoted; *at;) {
		size_t length = *at >= 0xf0 ? 4 : *at >= 0xe0 ? 3 : *at >= 0xc0 ? 2 : 1;
		uint32_t point = length == 1 ? *at : *at & (0x7fu >> length);
		for (size_t i = 1; i < length && at[i]; i++)
			point = point << 6 | (at[i] & 0x3f);
		width += columns_of(point);
		for (size_t i = 0; i < length && *at; i++)
			at++;
	}
	return width;
}

static bool make_room(struct table *table)
{
	if (table->count < table->room)
		return true;
	size_t room = table->room ? table->room * 2 : 32;
	struct table_cell *cells = realloc(table->cells, room * sizeof(*cells));
	if (!cells)
		return false;
	table->cells = cells;
	table->room = room;
	return true;
}

void table_add(struct table *table, enum paint paint, const char *bytes)
{
	struct text text = { 0 };
	text_add_quoted(&text, bytes ? bytes : "");
	char *quoted = text_take(&text);
	if (!quoted || !make_room(table)) {
		free(quoted);
		table->failed = true;
		return;
	}
	table->cells[table->count++] = (struct table_cell){
		.quoted = quoted, .width = paint_width(quoted), .paint = paint,
	};
}

static size_t widest(const struct table *table, size_t column)
{
	size_t width = 0;
	for (size_t i = column; i < table->count; i += table->columns)
		if (table->cells[i].width > width)
			width = table->cells[i].width;
	return width;
}

/* Is there anything to see in this row after this cell? Else no blanks follow it. */
static bool is_followed(const struct table *table, size_t cell)
{
	for (size_t i = cell + 1; i < table->count && i % table->columns != 0; i++)
		if (table->cells[i].width > 0)
			return true;
	return false;
}

void table_draw(const struct table *table, bool colour, struct text *text)
{
	text->failed = text->failed || table->failed;
	for (size_t i = 0; i < table->count; i++) {
		const struct table_cell *cell = &table->cells[i];
		size_t column = i % table->columns;
		if (column == 0)
			text_add(text, table->indent ? table->indent : "");
		add_painted(text, colour, cell->paint, cell->quoted);
		if (is_followed(table, i))
			text_addf(text, "%*s", (int)(widest(table, column) - cell->width + 2), "");
		if (column + 1 == table->columns || i + 1 == table->count)
			text_add(text, "\n");
	}
}

void table_release(struct table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->cells[i].quoted);
	free(table->cells);
	table->cells = NULL;
	table->count = table->room = 0;
}

/* report/table.h - columns for a person: aligned by what is seen, quoted, coloured on request. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "base/text.h"

enum paint { PAINT_PLAIN = 0, PAINT_STRONG, PAINT_GOOD, PAINT_BAD, PAINT_FAINT, PAINT_PLACE };

/* What makes a terminal begin with it. */
const char *paint_begin(enum paint paint);
/* Appends `bytes` for a person's eyes (text_add_quoted), in a colour where `colour` says so. */
void paint_add(struct text *text, bool colour, enum paint paint, const char *bytes);
/* How many columns of a terminal a quoted text takes. */
size_t paint_width(const char *quoted);

struct table_cell;

struct table {
	size_t columns;	/* set it first */
	const char *indent;	/* before each line; NULL for none */
	struct table_cell *cells;
	size_t count, room;
	bool failed;	/* memory was gone */
};

/* The next cell, row by row; NULL is an empty one. */
void table_add(struct table *table, enum paint paint, const char *bytes);
/* Appends the lines: cells of one column begin at one place, two blanks apart. */
void table_draw(const struct table *table, bool colour, struct text *text);
void table_release(struct table *table);

#endif

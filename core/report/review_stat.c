/* report/review_stat.c - how many lines changed in each file, with a bar as git draws it. */
#include "config.h"

#include "report/review_parts.h"

#include "base/cleanup.h"
#include "base/fault.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct row {
	char *name;
	struct patch_count lines;
	uint64_t before, after;	/* bytes */
	bool binary;
};

struct table_of_rows {
	struct row *rows;
	size_t count, room;
};

struct measure {	/* columns */
	size_t name, number, bar;
	uint64_t most;	/* lines of one row */
};

static void release(struct table_of_rows *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->rows[i].name);
	free(table->rows);
}

/* Takes the name. */
static int add(struct table_of_rows *table, const struct row *row)
{
	if (row->name && table->count == table->room) {
		size_t room = table->room ? table->room * 2 : 64;
		struct row *rows = realloc(table->rows, room * sizeof(*rows));
		if (rows) {
			table->rows = rows;
			table->room = room;
		}
	}
	if (!row->name || table->count == table->room) {
		free(row->name);
		return -1;
	}
	table->rows[table->count++] = *row;
	return 0;
}

static char *name_of(const struct review_part *part, const struct change *change)
{
	auto_free char *name = review_shown_name(part, change->path, false);
	auto_free char *from = change->kind == CHANGE_RENAMED ? review_shown_name(part, change->from, false)
							      : NULL;
	char *both = NULL;
	if (!from || !name)
		return take_pointer(&name);
	return asprintf(&both, "%s => %s", from, name) < 0 ? NULL : both;
}

static uint64_t size_of(const struct change_side *side)
{
	return side->kind == INDEX_FILE ? side->stamp.size : 0;
}

static int count_lines(struct row *row, struct hunks **hunks, const struct review_part *part,
		       const struct change *change, uint64_t most, struct pinfold_error *err)
{
	struct review_contents contents;
	if (review_read(part, change, most, &contents, err) < 0)
		return -1;
	const struct content *before = &contents.before, *after = &contents.after;
	int result = 0;
	row->binary = before->kind > CONTENT_TEXT || after->kind > CONTENT_TEXT;
	if (!row->binary && before->bytes + after->bytes > 0 &&
	    (before->bytes != after->bytes || memcmp(before->data, after->data, before->bytes) != 0))
		result = patch_count(hunks, before, after, &row->lines, err);
	review_contents_release(&contents);
	return result;
}

static bool is_of_files(const struct change *change)
{
	return change->before.kind == INDEX_FILE || change->before.kind == INDEX_LINK ||
	       change->after.kind == INDEX_FILE || change->after.kind == INDEX_LINK;
}

static int add_change(struct table_of_rows *table, struct hunks **hunks,
		      const struct review_part *part, const struct change *change, uint64_t most,
		      struct pinfold_error *err)
{
	struct row row = { .before = size_of(&change->before), .after = size_of(&change->after) };
	if (review_content_differs(change) && count_lines(&row, hunks, part, change, most, err) < 0)
		return -1;
	row.name = name_of(part, change);
	return add(table, &row) < 0 ? fault_no_memory(err) : 0;
}

static int gather(struct table_of_rows *table, struct stream *stream, const struct review *review,
		  const struct review_style *style, struct pinfold_error *err)
{
	struct hunks *hunks = NULL;
	int result = 0;
	for (size_t i = 0; i < review->count; i++) {
		const struct review_part *part = &review->parts[i];
		for (size_t j = 0; j < part->changes->count && result == 0 && !stream->failed; j++) {
			const struct change *change = &part->changes->items[j];
			if (is_of_files(change) && (style->all || !review_is_git(part, change)))
				result = add_change(table, &hunks, part, change, style->most, err);
		}
	}
	hunks_close(hunks);
	return result;
}

/* --- the bars ------------------------------------------------------------------------------------- */
static size_t digits_of(uint64_t number)
{
	size_t digits = 1;
	for (; number >= 10; number /= 10)
		digits++;
	return digits;
}

static size_t binary_columns(const struct row *row)	/* of "123 -> 4567 bytes" */
{
	return digits_of(row->before) + digits_of(row->after) + sizeof("  -> bytes") - 1;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Names get what they need, and at least five eighths of the line; bars get the rest. */
static struct measure measure_rows(const struct table_of_rows *table, size_t columns)
{
	struct measure measure = { .number = 1 };
	for (size_t i = 0; i < table->count; i++) {
		const struct row *row = &table->rows[i];
		uint64_t lines = row->lines.added + row->lines.removed;
		size_t width = strlen(row->name);	/* printable ASCII */
		measure.name = width > measure.name ? width : measure.name;
		measure.most = lines > measure.most ? lines : measure.most;
		if (row->binary && measure.number < 3)
			measure.number = 3;	/* of "Bin" */
		if (row->binary && binary_columns(row) > measure.bar)
			measure.bar = binary_columns(row);
	}
	if (digits_of(measure.most) > measure.number)
		measure.number = digits_of(measure.most);
	measure.bar = measure.most > measure.bar ? measure.most : measure.bar;
	if (columns < 22 + measure.number)
		columns = 22 + measure.number;
	size_t fixed = measure.number + 6;	/* blanks and the line between */
	if (measure.name + fixed + measure.bar <= columns)
		return measure;
	size_t bars = columns * 3 / 8 > fixed + 6 ? columns * 3 / 8 - fixed : 6;
	measure.bar = least(measure.bar, bars);
	measure.name = least(measure.name, columns - fixed - measure.bar);
	measure.bar = columns - fixed - measure.name;
	return measure;
}

static size_t scale(uint64_t lines, const struct measure *measure)
{
	if (lines == 0 || measure->most <= measure->bar)
		return (size_t)lines;
	return 1 + (size_t)(lines * (measure->bar - 1) / measure->most);
}

/* The greater part is what the other leaves of the whole. */
static void put_bar(struct stream *stream, const struct patch_count *lines,
		    const struct measure *measure)
{
	size_t whole = scale(lines->added + lines->removed, measure), added, removed;
	if (whole < 2 && lines->added && lines->removed)
		whole = 2;
	if (lines->added < lines->removed) {
		added = scale(lines->added, measure);
		removed = whole - added;
	} else {
		removed = scale(lines->removed, measure);
		added = whole - removed;
	}
	auto_free char *bar = malloc(whole + 2);
	if (!bar) {
		stream->failed = ENOMEM;
		return;
	}
	memset(bar, '+', added);
	memset(bar + added + 1, '-', removed);
	bar[added] = bar[whole + 1] = '\0';
	stream_put(stream, whole ? " " : "");
	if (added)
		stream_paint(stream, PAINT_GOOD, bar);
	if (removed)
		stream_paint(stream, PAINT_BAD, bar + added + 1);
}

/* Of a name that is too long its end is shown, from a slash where there is one. */
static void put_name(struct stream *stream, const char *name, size_t columns)
{
	size_t length = strlen(name);
	if (length <= columns) {
		stream_putf(stream, " %-*s |", (int)columns, name);
		return;
	}
	const char *tail = name + length - (columns > 3 ? columns - 3 : 0);
	const char *slash = strchr(tail, '/');
	stream_putf(stream, " ...%-*s |", columns > 3 ? (int)columns - 3 : 0, slash ? slash : tail);
}

static void put_row(struct stream *stream, const struct row *row, const struct measure *measure)
{
	put_name(stream, row->name, measure->name);
	if (row->binary) {
		stream_putf(stream, " %*s %" PRIu64 " -> %" PRIu64 " bytes\n", (int)measure->number, "Bin",
			    row->before, row->after);
		return;
	}
	stream_putf(stream, " %*" PRIu64, (int)measure->number, row->lines.added + row->lines.removed);
	put_bar(stream, &row->lines, measure);
	stream_put(stream, "\n");
}

static void put_sum(struct stream *stream, const struct table_of_rows *table)
{
	struct patch_count sum = { 0 };
	for (size_t i = 0; i < table->count; i++) {
		sum.added += table->rows[i].lines.added;
		sum.removed += table->rows[i].lines.removed;
	}
	stream_putf(stream, " %zu file%s changed", table->count, table->count == 1 ? "" : "s");
	if (sum.added || !sum.removed)
		stream_putf(stream, ", %" PRIu64 " insertion%s(+)", sum.added, sum.added == 1 ? "" : "s");
	if (sum.removed || !sum.added)
		stream_putf(stream, ", %" PRIu64 " deletion%s(-)", sum.removed,
			    sum.removed == 1 ? "" : "s");
	stream_put(stream, "\n");
}

static void put_git_line(void *context, const char *text)
{
	struct stream *stream = context;
	struct text quoted = { 0 };
	text_add_quoted(&quoted, text);
	stream_putf(stream, " %s\n", quoted.failed ? "" : quoted.data);
	text_release(&quoted);
}

int review_write_stat(struct stream *stream, const struct review *review,
		      const struct review_style *style, struct pinfold_error *err)
{
	struct table_of_rows table = { 0 };
	int result = gather(&table, stream, review, style, err);
	struct measure measure = measure_rows(&table, style->columns ? style->columns : 80);
	for (size_t i = 0; i < table.count && result == 0 && !stream->failed; i++)
		put_row(stream, &table.rows[i], &measure);
	if (result == 0 && table.count > 0)
		put_sum(stream, &table);
	release(&table);
	for (size_t i = 0; i < review->count && result == 0 && !style->all; i++)
		result = review_git_lines(&review->parts[i], put_git_line, stream, err);
	return result;
}

/* report/review_list.c - what a command changed, a line for each change. */
#include "config.h"

#include "report/review_parts.h"

#include "base/cleanup.h"
#include "base/fault.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
	char letter[2];
	enum paint paint;
} marks[CHANGE_KINDS] = {
	[CHANGE_ADDED] = { "A", PAINT_GOOD }, [CHANGE_REMOVED] = { "D", PAINT_BAD },
	[CHANGE_MODIFIED] = { "M", PAINT_PLACE }, [CHANGE_RETYPED] = { "T", PAINT_PLACE },
	[CHANGE_RENAMED] = { "R", PAINT_PLACE },
};

struct listed_part {
	struct stream *stream;
	const struct review_style *style;
	const struct review_part *part;
	bool *covered;	/* changes that the line of a directory speaks for */
};

static bool is_directory(const struct change *change)
{
	return change->kind == CHANGE_REMOVED ? review_is_directory(&change->before)
					      : review_is_directory(&change->after);
}

/* Is nothing to be said of it that was not said of its directory? */
static bool is_unremarkable(const struct review_note *said, const struct review_note *above)
{
	return !said->conflict && !said->never &&
	       (!said->risk || (above->risk && streq(said->risk, above->risk)));
}

/* A directory that came or went speaks for all that came or went with it, but not for what a person must
 * look at. */
static void cover(const struct listed_part *listed, size_t index)
{
	const struct changes *changes = listed->part->changes;
	const struct change *change = &changes->items[index];
	struct review_range below = review_below(changes, change->path);
	if (listed->covered[index] || !is_directory(change) ||
	    (change->kind != CHANGE_ADDED && change->kind != CHANGE_REMOVED))
		return;
	for (size_t i = below.begin; i < below.end; i++)
		listed->covered[i] = changes->items[i].kind == change->kind &&
				     is_unremarkable(review_note_of(listed->part, i),
						     review_note_of(listed->part, index));
}

static void put_note(struct stream *stream, enum paint paint, const char *label, const char *text)
{
	auto_free char *line = NULL;
	if (!text)
		return;
	if (asprintf(&line, "  (%s%s)", label, text) < 0)
		stream->failed = ENOMEM;
	else
		stream_paint(stream, paint, line);
}

static void put_mode(struct stream *stream, const struct change *change)
{
	char text[48];
	snprintf(text, sizeof(text), "%04o to %04o", change->before.stamp.mode & 07777,
		 change->after.stamp.mode & 07777);
	if (change->what & CHANGED_MODE)
		put_note(stream, PAINT_FAINT, "mode ", text);
}

static void put_below(const struct listed_part *listed, size_t index)
{
	const struct changes *changes = listed->part->changes;
	struct review_range below = review_below(changes, changes->items[index].path);
	char grouped[32], text[64];
	size_t count = 0;
	for (size_t i = below.begin; i < below.end; i++)
		count += listed->covered[i];
	snprintf(text, sizeof(text), "%s %s in it", text_grouped(count, grouped),
		 count == 1 ? "entry" : "entries");
	if (count > 0)
		put_note(listed->stream, PAINT_FAINT, "", text);
}

static void put_notes(const struct listed_part *listed, size_t index)
{
	const struct change *change = &listed->part->changes->items[index];
	const struct review_note *said = review_note_of(listed->part, index);
	if (change->kind == CHANGE_ADDED || change->kind == CHANGE_REMOVED)
		put_below(listed, index);
	put_mode(listed->stream, change);
	if (change->what & CHANGED_ATTRIBUTES)
		put_note(listed->stream, PAINT_FAINT, "", "extended attributes");
	if (change->after.kind == INDEX_SKIPPED && !said->never)
		put_note(listed->stream, PAINT_FAINT, "", "a device, FIFO or socket");
	if (change_privileges(change) && !said->never)
		put_note(listed->stream, PAINT_BAD, "", review_lost_privileges);
	put_note(listed->stream, PAINT_BAD, "conflict: ", said->conflict);
	put_note(listed->stream, PAINT_BAD, "never applied: ", said->never);
	put_note(listed->stream, PAINT_BAD, "risky: ", said->risk);
}

static int put_line(const struct listed_part *listed, size_t index, struct pinfold_error *err)
{
	const struct change *change = &listed->part->changes->items[index];
	struct stream *stream = listed->stream;
	bool renamed = change->kind == CHANGE_RENAMED;
	auto_free char *name = review_shown_name(listed->part, change->path, is_directory(change));
	auto_free char *from = renamed ? review_shown_name(listed->part, change->from, is_directory(change))
				       : NULL;
	if (!name || (renamed && !from))
		return fault_no_memory(err);
	stream_paint(stream, marks[change->kind].paint, marks[change->kind].letter);
	stream_putf(stream, "  %s%s%s", from ? from : "", from ? " -> " : "", name);
	put_notes(listed, index);
	stream_put(stream, "\n");
	return 0;
}

static void put_git_line(void *context, const char *text)
{
	const struct listed_part *listed = context;
	struct text quoted = { 0 };
	text_add_quoted(&quoted, text);
	stream_paint(listed->stream, PAINT_PLACE, "G");
	if (quoted.failed)
		listed->stream->failed = ENOMEM;
	else
		stream_putf(listed->stream, "  %s\n", quoted.data);
	text_release(&quoted);
}

/* What git writes is told in a few lines for all of it, but for what stands in the way of taking it. */
static bool is_told_by_git(const struct listed_part *listed, size_t index)
{
	return !listed->style->all && !review_note_of(listed->part, index)->conflict &&
	       review_is_git(listed->part, &listed->part->changes->items[index]);
}

static int put_lines(const struct listed_part *listed, struct pinfold_error *err)
{
	const struct changes *changes = listed->part->changes;
	for (size_t i = 0; i < changes->count && !listed->stream->failed; i++) {
		if (!listed->style->all)
			cover(listed, i);
		if (listed->covered[i] || is_told_by_git(listed, i))
			continue;
		if (put_line(listed, i, err) < 0)
			return -1;
	}
	return 0;
}

static int write_lines(struct stream *stream, const struct review_part *part,
		       const struct review_style *style, struct pinfold_error *err)
{
	auto_free bool *covered = calloc(part->changes->count + 1, sizeof(*covered));
	struct listed_part listed = { stream, style, part, covered };
	if (!covered)
		return fault_no_memory(err);
	if (put_lines(&listed, err) < 0)
		return -1;
	return style->all ? 0 : review_git_lines(part, put_git_line, &listed, err);
}

/* For programs: every change, whole names. Of a rename the new name comes first, as git has it. */
static int write_name(struct stream *stream, const struct review_part *part,
		      const struct change *change, bool zero, const char *mark,
		      struct pinfold_error *err)
{
	auto_free char *name = zero ? review_name(part, change->path)
				    : review_shown_name(part, change->path, false);
	auto_free char *from = change->kind == CHANGE_RENAMED ? review_name(part, change->from) : NULL;
	if (!name || (change->kind == CHANGE_RENAMED && !from))
		return fault_no_memory(err);
	stream_putf(stream, "%s%s%s", mark, mark[0] ? "  " : "", name);
	stream_add(stream, zero ? "" : "\n", 1);
	if (from && zero && mark[0])
		stream_add(stream, from, strlen(from) + 1);
	return 0;
}

static int write_names(struct stream *stream, const struct review *review, bool zero, bool marked,
		       struct pinfold_error *err)
{
	for (size_t i = 0; i < review->count; i++) {
		const struct review_part *part = &review->parts[i];
		for (size_t j = 0; j < part->changes->count && !stream->failed; j++) {
			const struct change *change = &part->changes->items[j];
			const char *mark = marked ? marks[change->kind].letter : "";
			if (write_name(stream, part, change, zero, mark, err) < 0)
				return -1;
		}
	}
	return 0;
}

int review_write_list(struct stream *stream, const struct review *review,
		      const struct review_style *style, struct pinfold_error *err)
{
	if (style->zero)
		return write_names(stream, review, true, true, err);
	for (size_t i = 0; i < review->count && !stream->failed; i++)
		if (write_lines(stream, &review->parts[i], style, err) < 0)
			return -1;
	return 0;
}

int review_write_names(struct stream *stream, const struct review *review,
		       const struct review_style *style, struct pinfold_error *err)
{
	return write_names(stream, review, style->zero, false, err);
}

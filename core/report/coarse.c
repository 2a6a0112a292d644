/* report/coarse.c - how texts of very many lines differ: in one hunk. */
#include "config.h"

#include "report/coarse.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A part of a text, in whole lines. */
struct part {
	const char *begin, *end;
};

static uint64_t lines_in(const char *at, const char *end)
{
	uint64_t count = 0;
	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		count++;
		at = newline ? newline + 1 : end;
	}
	return count;
}

/* Takes the lines at the start that are equal; returns them, of `a`. */
static struct part take_head(struct part *a, struct part *b)
{
	struct part head = { a->begin, a->begin };
	const char *from = a->begin;
	for (const char *to = b->begin; from < a->end && to < b->end && *from == *to;) {
		to++;
		if (*from++ == '\n') {
			head.end = a->begin = from;
			b->begin = to;
		}
	}
	return head;
}

/* The same at the end. Where a part ends without a newline, that line is a line like any other. */
static struct part take_tail(struct part *a, struct part *b)
{
	struct part tail = { a->end, a->end };
	const char *from = a->end, *to = b->end;
	while (from > a->begin && to > b->begin && from[-1] == to[-1]) {
		from--;
		to--;
		bool starts_a = from == a->begin || from[-1] == '\n';
		bool starts_b = to == b->begin || to[-1] == '\n';
		if (starts_a && starts_b) {
			tail.begin = a->end = from;
			b->end = to;
		}
	}
	return tail;
}

/* The last lines of the head. */
static struct part last_lines(struct part head, uint32_t count)
{
	const char *at = head.end;
	for (; count > 0 && at > head.begin; count--) {
		const char *newline = memrchr(head.begin, '\n', (size_t)(at - head.begin - 1));
		at = newline ? newline + 1 : head.begin;
	}
	return (struct part){ at, head.end };
}

static struct part first_lines(struct part tail, uint32_t count)
{
	const char *at = tail.begin;
	for (; count > 0 && at < tail.end; count--) {
		const char *newline = memchr(at, '\n', (size_t)(tail.end - at));
		at = newline ? newline + 1 : tail.end;
	}
	return (struct part){ tail.begin, at };
}

static int hand_over(struct part part, char sign, hunks_take *take, void *context)
{
	int ended = 0;
	while (part.begin < part.end && !ended) {
		const char *newline = memchr(part.begin, '\n', (size_t)(part.end - part.begin));
		const char *end = newline ? newline : part.end;
		struct hunks_line line = { .sign = sign, .open = !newline, .bytes = part.begin,
					   .count = (size_t)(end - part.begin) };
		ended = take(context, &line);
		part.begin = newline ? newline + 1 : part.end;
	}
	return ended;
}

/* "12,3", "12", "11,0": before the first line that there is where there is none. */
static void write_range(char *room, size_t bytes, uint64_t first, uint64_t count)
{
	if (count == 1)
		snprintf(room, bytes, "%" PRIu64, first);
	else
		snprintf(room, bytes, "%" PRIu64 ",%" PRIu64, count ? first : first - 1, count);
}

static int hand_over_header(uint64_t first, uint64_t removed, uint64_t added, hunks_take *take,
			    void *context)
{
	char before[48], after[48], header[112];
	write_range(before, sizeof(before), first, removed);
	write_range(after, sizeof(after), first, added);
	int length = snprintf(header, sizeof(header), "@@ -%s +%s @@", before, after);
	struct hunks_line line = { .sign = '@', .bytes = header, .count = (size_t)length };
	return take(context, &line);
}

static struct part part_of(const struct content *content)
{
	const char *data = content->data ? content->data : "";
	return (struct part){ data, data + content->bytes };
}

int coarse_find(const struct content *before, const struct content *after, uint32_t around,
		hunks_take *take, void *context)
{
	struct part old = part_of(before), new = part_of(after);
	struct part head = take_head(&old, &new), tail = take_tail(&old, &new);
	struct part above = last_lines(head, around), below = first_lines(tail, around);
	uint64_t first = lines_in(head.begin, above.begin) + 1;
	uint64_t same = lines_in(above.begin, above.end) + lines_in(below.begin, below.end);
	int ended = hand_over_header(first, same + lines_in(old.begin, old.end),
				     same + lines_in(new.begin, new.end), take, context);
	if (!ended)
		ended = hand_over(above, ' ', take, context);
	if (!ended)
		ended = hand_over(old, '-', take, context);
	if (!ended)
		ended = hand_over(new, '+', take, context);
	return ended ? ended : hand_over(below, ' ', take, context);
}

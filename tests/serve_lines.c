/* tests/serve_lines.c - requests as they come in: half lines, long lines, many at once. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli/serve_lines.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static int open_ends(void **state)
{
	(void)state;
	return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}

static int close_ends(void **state)
{
	(void)state;
	close(ends[0]);
	return close(ends[1]);
}

static void put(const char *bytes, size_t count)
{
	assert_int_equal(write(ends[1], bytes, count), count);
}

static enum line_kind take(struct lines *lines, const char *expected)
{
	char *line = NULL;
	size_t length = 0;
	enum line_kind kind = lines_next(lines, &line, &length);
	if (expected) {
		assert_int_equal(kind, LINE_WHOLE);
		assert_int_equal(length, strlen(expected));
		assert_string_equal(line, expected);
	}
	return kind;
}

static void lines_come_out_whole_however_they_were_cut(void **state)
{
	(void)state;
	struct lines lines = { 0 };
	put("one\ntw", 6);
	assert_int_equal(lines_fill(&lines, ends[0]), 0);
	take(&lines, "one");
	assert_int_equal(take(&lines, NULL), LINE_NONE);
	put("o\n\nthree\n", 9);
	assert_int_equal(lines_fill(&lines, ends[0]), 0);
	take(&lines, "two");
	take(&lines, "");
	take(&lines, "three");
	assert_int_equal(take(&lines, NULL), LINE_NONE);
	lines_release(&lines);
}

static void a_line_that_is_too_long_is_told_once_and_the_next_is_read(void **state)
{
	(void)state;
	struct lines lines = { 0 };
	enum { PIECE = 64 * 1024, PIECES = 40 };
	char *piece = malloc(PIECE);
	unsigned told = 0, others = 0;
	memset(piece, 'x', PIECE);
	for (int i = 0; i < PIECES; i++) {
		put(piece, PIECE);
		assert_int_equal(lines_fill(&lines, ends[0]), 0);
		enum line_kind kind = take(&lines, NULL);
		told += kind == LINE_TOO_LONG;
		others += kind != LINE_TOO_LONG && kind != LINE_NONE;
		assert_true(lines.room <= 2 * LINE_MOST);
	}
	put("y\nnext\n", 7);
	assert_int_equal(lines_fill(&lines, ends[0]), 0);
	take(&lines, "next");
	assert_int_equal(told, 1);
	assert_int_equal(others, 0);
	free(piece);
	lines_release(&lines);
}

static void what_has_no_end_when_the_input_ends_is_half_a_line(void **state)
{
	(void)state;
	struct lines lines = { 0 };
	put("one\nha", 6);
	shutdown(ends[1], SHUT_WR);
	assert_int_equal(lines_fill(&lines, ends[0]), 0);
	take(&lines, "one");
	assert_int_equal(take(&lines, NULL), LINE_NONE);
	assert_int_equal(lines_fill(&lines, ends[0]), 0);
	assert_true(lines.ended);
	assert_int_equal(take(&lines, NULL), LINE_HALF);
	assert_int_equal(take(&lines, NULL), LINE_NONE);
	lines_release(&lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lines_come_out_whole_however_they_were_cut, open_ends, close_ends),
		cmocka_unit_test_setup_teardown(a_line_that_is_too_long_is_told_once_and_the_next_is_read, open_ends,
						close_ends),
		cmocka_unit_test_setup_teardown(what_has_no_end_when_the_input_ends_is_half_a_line, open_ends,
						close_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

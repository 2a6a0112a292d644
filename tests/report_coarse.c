/* tests/report_coarse.c - one hunk for texts of very many lines. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "report/coarse.h"

#include <stdio.h>
#include <stdlib.h>

static struct content content_of(const char *text)
{
	return (struct content){ .kind = CONTENT_TEXT, .data = (char *)(uintptr_t)text,
				 .bytes = strlen(text) };
}

static int add_line(void *context, const struct hunks_line *line)
{
	struct text *text = context;
	const char sign[2] = { line->sign, '\0' };
	text_add(text, line->sign == '@' ? "" : sign);
	text_add_bytes(text, line->bytes, line->count);
	text_add(text, line->open ? "~\n" : "\n");
	return 0;
}

static void expect(const char *before, const char *after, uint32_t around, const char *wanted)
{
	struct content old = content_of(before), new = content_of(after);
	struct text text = { 0 };
	assert_int_equal(coarse_find(&old, &new, around, add_line, &text), 0);
	char *found = text_take(&text);
	assert_string_equal(found, wanted);
	free(found);
}

static void lines_at_both_ends_are_left_out(void **state)
{
	(void)state;
	expect("1\n2\n3\n4\n5\n6\n7\n", "1\n2\n3\nx\ny\n5\n6\n7\n", 1,
	       "@@ -3,3 +3,4 @@\n 3\n-4\n+x\n+y\n 5\n");
	expect("1\n2\n3\n", "1\n3\n", 0, "@@ -2 +1,0 @@\n-2\n");
	expect("1\n3\n", "1\n2\n3\n", 0, "@@ -1,0 +2 @@\n+2\n");
	expect("1\n2\n", "x\n2\n", 3, "@@ -1,2 +1,2 @@\n-1\n+x\n 2\n");
	expect("a\n", "a\na\n", 3, "@@ -1 +1,2 @@\n a\n+a\n");
	expect("\n\n\n", "\n", 0, "@@ -2,2 +1,0 @@\n-\n-\n");
}

static void what_is_all_new_or_all_gone_has_no_lines_around(void **state)
{
	(void)state;
	expect("", "a\nb\n", 3, "@@ -0,0 +1,2 @@\n+a\n+b\n");
	expect("a\n", "", 3, "@@ -1 +0,0 @@\n-a\n");
}

static void a_last_line_without_a_newline_is_told(void **state)
{
	(void)state;
	expect("a\nb", "a\nb\n", 1, "@@ -1,2 +1,2 @@\n a\n-b~\n+b\n");
	expect("a\nb\n", "a\nb", 1, "@@ -1,2 +1,2 @@\n a\n-b\n+b~\n");
	expect("a\nb", "x\nb", 1, "@@ -1,2 +1,2 @@\n-a\n+x\n b~\n");
	expect("a\nb", "a\nxb", 1, "@@ -1,2 +1,2 @@\n a\n-b~\n+xb~\n");
	expect("b", "a\nb", 1, "@@ -1 +1,2 @@\n+a\n b~\n");
}

static void equal_bytes_of_unequal_lines_are_no_lines(void **state)
{
	(void)state;
	expect("same1\n", "same2\n", 1, "@@ -1 +1 @@\n-same1\n+same2\n");
	expect("1same\nx\n", "2same\nx\n", 0, "@@ -1 +1 @@\n-1same\n+2same\n");
}

/* Whatever the texts, the lines before and after are those of the hunk, in their order. */
static void a_hunk_holds_both_texts(void **state)
{
	(void)state;
	srandom(1);
	for (int round = 0; round < 20000; round++) {
		char texts[2][16], ranges[2][64];
		for (int i = 0; i < 2; i++) {
			size_t length = (size_t)random() % 12;
			for (size_t j = 0; j < length; j++)
				texts[i][j] = "ab\n\n"[random() % 4];
			texts[i][length] = '\0';
		}
		if (streq(texts[0], texts[1]))
			continue;
		struct content old = content_of(texts[0]), new = content_of(texts[1]);
		struct text hunk = { 0 }, sides[2] = { { 0 }, { 0 } };
		assert_int_equal(coarse_find(&old, &new, 20, add_line, &hunk), 0);
		char *all = text_take(&hunk), *rest = all;
		unsigned counts[2] = { 0, 0 };
		char *header = strsep(&rest, "\n");
		for (char *line; (line = strsep(&rest, "\n")) && rest;)
			for (int i = 0; i < 2; i++) {
				if (line[0] == (i ? '-' : '+'))
					continue;
				bool open = ends_with(line, "~");
				text_add_bytes(&sides[i], line + 1, strlen(line) - 1 - open);
				text_add(&sides[i], open ? "" : "\n");
				counts[i]++;
			}
		for (int i = 0; i < 2; i++) {
			char *side = text_take(&sides[i]);
			assert_string_equal(side, texts[i]);
			free(side);
			snprintf(ranges[i], sizeof(ranges[i]), counts[i] == 1 ? "1" : counts[i] ? "1,%u" : "0,0",
				 counts[i]);
		}
		char wanted[192];
		snprintf(wanted, sizeof(wanted), "@@ -%s +%s @@", ranges[0], ranges[1]);
		assert_string_equal(header, wanted);
		free(all);
	}
}

static int stop_at_third(void *context, const struct hunks_line *line)
{
	(void)line;
	return ++*(int *)context == 3 ? 7 : 0;
}

static void who_takes_the_lines_can_end_it(void **state)
{
	(void)state;
	struct content old = content_of("1\n2\n3\n"), new = content_of("4\n5\n6\n");
	int count = 0;
	assert_int_equal(coarse_find(&old, &new, 0, stop_at_third, &count), 7);
	assert_int_equal(count, 3);
}

/* The kind of text that keeps an exact search busy longest, twice as many lines as it is asked for. */
static void very_many_lines_cost_no_more_than_reading_them(void **state)
{
	(void)state;
	struct hunks *hunks = NULL;
	struct pinfold_error err = { 0 };
	struct text texts[2] = { { 0 }, { 0 } }, hunk = { 0 };
	for (int line = 0; line < HUNKS_LINES_MOST; line++)
		for (int i = 0; i < 2; i++)
			text_add(&texts[i], random() & 1 ? "a\n" : "b\n");
	text_add(&texts[0], "x\nend\n");
	text_add(&texts[1], "y\nend\n");
	struct content old = content_of(texts[0].data), new = content_of(texts[1].data);
	assert_int_equal(hunks_open(&hunks, &err), 0);
	assert_int_equal(hunks_find(hunks, &old, &new, 1, add_line, &hunk, &err), 0);
	hunks_close(hunks);
	assert_true(ends_with(hunk.data, "\n+y\n end\n"));
	assert_true(hunk.length > (size_t)HUNKS_LINES_MOST * 5);
	text_release(&hunk);
	text_release(&texts[0]);
	text_release(&texts[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_at_both_ends_are_left_out),
		cmocka_unit_test(what_is_all_new_or_all_gone_has_no_lines_around),
		cmocka_unit_test(a_last_line_without_a_newline_is_told),
		cmocka_unit_test(equal_bytes_of_unequal_lines_are_no_lines),
		cmocka_unit_test(a_hunk_holds_both_texts),
		cmocka_unit_test(who_takes_the_lines_can_end_it),
		cmocka_unit_test(very_many_lines_cost_no_more_than_reading_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/report_tables.c - columns that stay columns, whatever is in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "report/table.h"

#include <stdlib.h>

static char *drawn(const struct table *table, bool colour)
{
	struct text text = { 0 };
	table_draw(table, colour, &text);
	return text_take(&text);
}

static void add_row(struct table *table, const char *a, const char *b, const char *c)
{
	table_add(table, PAINT_PLAIN, a);
	table_add(table, PAINT_GOOD, b);
	table_add(table, PAINT_PLAIN, c);
}

static void cells_of_a_column_begin_at_one_place(void **state)
{
	(void)state;
	struct table table = { .columns = 3, .indent = "  " };
	add_row(&table, "a", "bbb", "c");
	add_row(&table, "aaaa", "b", "cc");
	char *text = drawn(&table, false);
	assert_string_equal(text, "  a     bbb  c\n"
				  "  aaaa  b    cc\n");
	free(text);
	table_release(&table);
}

static void no_blanks_follow_the_last_thing_to_see(void **state)
{
	(void)state;
	struct table table = { .columns = 3 };
	add_row(&table, "a", "b", "");
	add_row(&table, "aa", NULL, NULL);
	table_add(&table, PAINT_PLAIN, "x");
	char *text = drawn(&table, true);
	assert_string_equal(text, "a   \033[32mb\033[0m\naa\nx\n");
	free(text);
	table_release(&table);
	struct table empty = { .columns = 2 };
	text = drawn(&empty, false);
	assert_string_equal(text, "");
	free(text);
}

static void width_is_what_a_terminal_shows(void **state)
{
	(void)state;
	assert_int_equal(paint_width(""), 0);
	assert_int_equal(paint_width("abc"), 3);
	assert_int_equal(paint_width("caf\xc3\xa9"), 4);
	assert_int_equal(paint_width("e\xcc\x81"), 1);			/* combining accent */
	assert_int_equal(paint_width("\xe6\xbc\xa2\xe5\xad\x97"), 4);	/* two wide letters */
	assert_int_equal(paint_width("\xf0\x9f\x98\x80"), 2);
	struct table table = { .columns = 3 };
	add_row(&table, "\xe6\xbc\xa2", "b", "c");
	add_row(&table, "caf\xc3\xa9", "b", "c");
	char *text = drawn(&table, false);
	assert_string_equal(text, "\xe6\xbc\xa2    b  c\ncaf\xc3\xa9  b  c\n");
	free(text);
	table_release(&table);
}

static void nothing_in_a_cell_is_obeyed_by_a_terminal(void **state)
{
	(void)state;
	struct table table = { .columns = 3 };
	add_row(&table, "\033[2J", "a\nb", "\xff");
	char *text = drawn(&table, false);
	assert_string_equal(text, "\\x1b[2J  a\\nb  \\xff\n");
	free(text);
	text = drawn(&table, true);
	assert_string_equal(text, "\\x1b[2J  \033[32ma\\nb\033[0m  \\xff\n");
	free(text);
	table_release(&table);
	struct text painted = { 0 };
	paint_add(&painted, true, PAINT_BAD, "x\033[0m");
	paint_add(&painted, false, PAINT_BAD, "y");
	paint_add(&painted, true, PAINT_STRONG, "");
	text = text_take(&painted);
	assert_string_equal(text, "\033[31mx\\x1b[0m\033[0my");
	free(text);
}

static void a_table_may_be_long(void **state)
{
	(void)state;
	struct table table = { .columns = 1 };
	for (int i = 0; i < 500; i++)
		table_add(&table, PAINT_PLAIN, "line");
	char *text = drawn(&table, false);
	assert_int_equal(strlen(text), 500 * 5);
	free(text);
	table_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_of_a_column_begin_at_one_place),
		cmocka_unit_test(no_blanks_follow_the_last_thing_to_see),
		cmocka_unit_test(width_is_what_a_terminal_shows),
		cmocka_unit_test(nothing_in_a_cell_is_obeyed_by_a_terminal),
		cmocka_unit_test(a_table_may_be_long),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

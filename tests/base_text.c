/* tests/base_text.c - strings: building, quoting, counting, and the nearest name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/fault.h"
#include "base/list.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

static void assert_quoted(const char *bytes, const char *expected)
{
	struct text text = { 0 };
	text_add_quoted(&text, bytes);
	char *quoted = text_take(&text);
	assert_string_equal(quoted, expected);
	free(quoted);
}

static void bytes_that_a_terminal_would_obey_are_quoted(void **state)
{
	(void)state;
	assert_quoted("plain", "plain");
	assert_quoted("a\nb", "a\\nb");
	assert_quoted("\033[2J", "\\x1b[2J");
	assert_quoted("caf\xc3\xa9", "caf\xc3\xa9");
	assert_quoted("a\xff", "a\\xff");
	assert_quoted("\xc2\x9b", "\\xc2\\x9b");		/* CSI as one C1 control */
	assert_quoted("\xe2\x80\xae", "\\xe2\\x80\\xae");	/* right-to-left override */
	assert_quoted("\xc0\xaf", "\\xc0\\xaf");		/* overlong slash */
	assert_quoted("\xed\xa0\x80", "\\xed\\xa0\\x80");	/* surrogate */
	assert_quoted("\xe2\x82", "\\xe2\\x82");		/* cut short */
}

static void an_enumeration_reads_as_a_sentence(void **state)
{
	(void)state;
	static const char *const items[] = { "a", "b", "c" };
	static const char *const expected[] = { "nothing", "a", "a and b", "a, b, and c" };
	for (size_t count = 0; count <= 3; count++) {
		struct text text = { 0 };
		text_add_enumeration(&text, items, count);
		char *sentence = text_take(&text);
		assert_string_equal(sentence, expected[count]);
		free(sentence);
	}
}

static void a_large_number_is_grouped_by_thousands(void **state)
{
	(void)state;
	char room[32];
	assert_string_equal(text_grouped(0, room), "0");
	assert_string_equal(text_grouped(999, room), "999");
	assert_string_equal(text_grouped(1204551, room), "1,204,551");
	assert_string_equal(text_grouped(UINT64_MAX, room), "18,446,744,073,709,551,615");
}

static void the_nearest_name_is_found_and_a_far_one_is_not(void **state)
{
	(void)state;
	static const char *const names[] = { "hidden", "writable", "scratch" };
	assert_string_equal(text_nearest("hiden", names, 3), "hidden");
	assert_string_equal(text_nearest("writeable", names, 3), "writable");
	assert_string_equal(text_nearest("hiddne", names, 3), "hidden");
	static const char *const shorter[] = { "run", "probe" };
	assert_string_equal(text_nearest("rnu", shorter, 2), "run");
	assert_null(text_nearest("xyz", shorter, 2));
	assert_null(text_nearest("zzzzzz", names, 3));
	assert_null(text_nearest("", names, 3));
}

static void a_list_is_always_terminated_for_exec(void **state)
{
	(void)state;
	struct list list = { 0 };
	for (int i = 0; i < 100; i++)
		assert_int_equal(list_addf(&list, "item %d", i), 0);
	assert_int_equal(list.count, 100);
	assert_null(list.items[100]);
	assert_true(list_has(&list, "item 99"));
	assert_false(list_has(&list, "item 100"));
	list_release(&list);
	assert_null(list.items);
}

static void formatted_texts_are_whole_at_every_length(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	char wanted[1200];
	for (size_t length = 0; length < 600; length++) {
		struct text text = { 0 };
		memset(wanted, 'x', length);
		snprintf(wanted + length, sizeof(wanted) - length, "-%zu", length);
		text_addf(&text, "%s", wanted);
		assert_string_equal(arena_print(arena, "%s", wanted), wanted);
		text_addf(&text, "%s", wanted);
		assert_int_equal(text.length, 2 * strlen(wanted));
		assert_memory_equal(text.data, wanted, strlen(wanted));
		assert_string_equal(text.data + strlen(wanted), wanted);
		text_release(&text);
	}
	arena_free(arena);
}

static void an_error_keeps_its_four_parts_and_cuts_what_is_too_long(void **state)
{
	(void)state;
	struct pinfold_error err = { 0 };
	char longer[2000];
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	assert_int_equal(fault(&err, PINFOLD_E_TREE, 28, "copy", longer, "make room"), -1);
	assert_string_equal(fault_code_name(err.code), "E_TREE");
	assert_int_equal(err.sys, 28);
	assert_string_equal(err.action, "copy");
	assert_int_equal(strlen(err.subject), sizeof(err.subject) - 1);
	assert_string_equal(err.recovery, "make room");
	assert_int_equal(fault(NULL, PINFOLD_E_TREE, 0, NULL, NULL, NULL), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_that_a_terminal_would_obey_are_quoted),
		cmocka_unit_test(an_enumeration_reads_as_a_sentence),
		cmocka_unit_test(a_large_number_is_grouped_by_thousands),
		cmocka_unit_test(the_nearest_name_is_found_and_a_far_one_is_not),
		cmocka_unit_test(a_list_is_always_terminated_for_exec),
		cmocka_unit_test(formatted_texts_are_whole_at_every_length),
		cmocka_unit_test(an_error_keeps_its_four_parts_and_cuts_what_is_too_long),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

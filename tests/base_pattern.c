/* tests/base_pattern.c - names matched against patterns with stars. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/pattern.h"
#include "base/text.h"

static void a_star_stands_for_any_bytes(void **state)
{
	(void)state;
	static const struct {
		const char *pattern, *text;
		bool matches;
	} rows[] = {
		{ "", "", true }, { "", "a", false }, { "*", "", true }, { "*", "abc", true },
		{ "abc", "abc", true }, { "abc", "abcd", false }, { "abc", "ab", false },
		{ "a*", "a", true }, { "a*", "ba", false }, { "*c", "abc", true }, { "*c", "cb", false },
		{ "a*c", "ac", true }, { "a*c", "abcbc", true }, { "a*c", "abcb", false },
		{ "*_KEY", "X_KEY_KEY", true }, { "*_KEY", "_KEY", true }, { "*_KEY", "KEY", false },
		{ "a**b", "axb", true }, { "*a*b*", "xxaxxbxx", true }, { "*a*b*", "xxbxxaxx", false },
		{ "B_*__*", "B_A__C", true }, { "B_*__*", "B__C", false }, { "a?c", "abc", false },
		{ "[a]", "a", false }, { "\\*", "\\x", true }, { "*\xff", "a\xff", true },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++)
		if (pattern_matches(rows[i].pattern, rows[i].text) != rows[i].matches)
			fail_msg("%s and %s", rows[i].pattern, rows[i].text);
}

static void letters_are_folded_only_when_asked(void **state)
{
	(void)state;
	assert_false(pattern_matches("*_KEY", "my_key"));
	assert_true(pattern_matches_folded("*_KEY", "my_key"));
	assert_true(pattern_matches_folded("aZ", "Az"));
	assert_false(pattern_matches_folded("@", "`"));
	assert_false(pattern_matches_folded("[", "{"));
}

static void many_stars_take_no_time_that_matters(void **state)
{
	(void)state;
	char text[5000];
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_false(pattern_matches("*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_star_stands_for_any_bytes),
		cmocka_unit_test(letters_are_folded_only_when_asked),
		cmocka_unit_test(many_stars_take_no_time_that_matters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

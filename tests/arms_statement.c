/* tests/arms_statement.c - the sentence of an arm, and offers as bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "arms/arms.h"
#include "arms/offer.h"

#include <stdlib.h>
#include <string.h>

static void assert_statement(uint64_t kept, const char *expected)
{
	struct pinfold_offer offer = { .size = sizeof(offer), .available = 1, .kept = kept };
	char *statement = arms_statement("copytree", &offer);
	assert_string_equal(statement, expected);
	free(statement);
}

static void a_statement_says_what_is_kept_and_what_is_not(void **state)
{
	(void)state;
	assert_statement(
		PINFOLD_BIT(FILESYSTEM) | PINFOLD_BIT(PROCESS_TREE),
		"copytree: it guarantees that writes through the working directory land on a copy or "
		"a layer and everything it started ends with it; it does not guarantee: protection of "
		"files elsewhere from writing, hiding of credentials, a closed network, closed unix "
		"sockets, separation from other processes, a user of its own, ceilings on CPU, memory "
		"and processes, protection of the caller's terminal, and a smaller kernel surface.");
}

static void a_statement_of_three_promises_is_an_enumeration(void **state)
{
	(void)state;
	uint64_t all = OFFER_AXES;
	assert_statement(
		all & ~PINFOLD_BIT(RESOURCES),
		"copytree: it guarantees that writes through the working directory land on a copy or "
		"a layer, nothing outside the view, private temporary space and named paths can be "
		"written, paths named as hidden cannot be read, no network can be reached beyond what "
		"the policy names, no service of the host can be reached through a unix socket beyond "
		"what the policy names, it can neither see nor signal processes outside, everything it started ends with it, "
		"it runs in a user of its own without privileges to raise, it cannot type into or "
		"take over the caller's terminal, and system calls that builds do not need are "
		"refused; it does not guarantee: ceilings on CPU, memory and processes.");
}

static void a_statement_can_promise_nothing_and_leave_nothing_open(void **state)
{
	(void)state;
	struct pinfold_offer offer = { .size = sizeof(offer), .available = 1 };
	char *statement = arms_statement("a", &offer);
	assert_non_null(strstr(statement, "a: it guarantees nothing; it does not guarantee: a copy of"));
	free(statement);
	offer.kept = OFFER_AXES;
	statement = arms_statement("a", &offer);
	assert_non_null(strstr(statement, "; it does not guarantee: nothing."));
	free(statement);
}

static void a_refusal_promises_nothing_whatever_its_bits_say(void **state)
{
	(void)state;
	struct pinfold_offer offer = { .size = sizeof(offer), .available = 0, .kept = OFFER_AXES };
	char *statement = arms_statement("a", &offer);
	assert_non_null(strstr(statement, "it guarantees nothing;"));
	free(statement);
}

static void an_offer_comes_back_from_its_bytes(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct pinfold_offer offer = { .size = sizeof(offer), .available = 1, .answered = 7, .kept = 5 };
	struct pinfold_offer back;
	struct text text = { 0 };
	offer.note[0] = "first";
	offer.note[PINFOLD_AXIS_LIMIT - 1] = "";
	offer.lift = "lift";
	offer_write(&text, &offer);
	assert_int_equal(offer_read(arena, text.data, text.length, &back), 0);
	assert_int_equal(back.kept, 5);
	assert_int_equal(back.answered, 7);
	assert_string_equal(back.note[0], "first");
	assert_null(back.note[1]);
	assert_string_equal(back.note[PINFOLD_AXIS_LIMIT - 1], "");
	assert_null(back.missing);
	assert_string_equal(back.lift, "lift");
	for (size_t count = 0; count < text.length; count++)
		assert_int_equal(offer_read(arena, text.data, count, &back), -1);
	text_add(&text, "x");
	assert_int_equal(offer_read(arena, text.data, text.length, &back), -1);
	text_release(&text);
	arena_free(arena);
}

static void bytes_that_are_no_offer_are_refused(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct pinfold_offer offer = { .size = sizeof(offer) }, back;
	struct text text = { 0 };
	offer_write(&text, &offer);
	unsigned seed = 1;
	for (size_t round = 0; round < 20000; round++) {
		char *bytes = test_malloc(text.length);
		memcpy(bytes, text.data, text.length);
		for (size_t i = 0; i < 4; i++)
			bytes[(size_t)rand_r(&seed) % text.length] = (char)rand_r(&seed);
		offer_read(arena, bytes, text.length, &back);
		test_free(bytes);
	}
	memset(text.data + 24, 0x7f, 4);
	assert_int_equal(offer_read(arena, text.data, text.length, &back), -1);
	text_release(&text);
	arena_free(arena);
}

static void a_long_text_is_cut(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	char *longest = test_malloc(10001);
	memset(longest, 'a', 10000);
	longest[10000] = '\0';
	struct pinfold_offer offer = { .size = sizeof(offer), .missing = longest }, back;
	struct text text = { 0 };
	offer_write(&text, &offer);
	assert_int_equal(offer_read(arena, text.data, text.length, &back), 0);
	assert_int_equal(strlen(back.missing), OFFER_TEXT_MOST);
	text_release(&text);
	test_free(longest);
	arena_free(arena);
}

static void assert_settled(struct pinfold_offer offer, uint32_t available, const char *missing)
{
	struct arena *arena = arena_new();
	offer_settle(arena, &offer, "arm");
	assert_int_equal(offer.available, available);
	assert_int_equal(offer.kept & ~OFFER_AXES, 0);
	if (missing)
		assert_string_equal(offer.missing, missing);
	arena_free(arena);
}

static void an_offer_without_sense_becomes_a_refusal(void **state)
{
	(void)state;
	uint64_t all = OFFER_AXES;
	assert_settled((struct pinfold_offer){ .available = 1, .answered = all, .kept = 3 }, 1, NULL);
	assert_settled((struct pinfold_offer){ .available = 1,
					       .answered = all & ~PINFOLD_BIT(KERNEL),
					       .kept = PINFOLD_BIT(KERNEL) },
		       0, "arm promises what it did not answer for: kernel");
	assert_settled((struct pinfold_offer){ .available = 1,
					       .answered = all & ~PINFOLD_BIT(KERNEL) &
							   ~PINFOLD_BIT(USER) },
		       0, "arm does not answer for user and kernel");
	assert_settled((struct pinfold_offer){ .available = 0 }, 0, "arm gave no reason");
	assert_settled((struct pinfold_offer){ .available = 0, .missing = "x" }, 0, "x");
}

static void a_promise_that_the_host_does_not_know_is_ignored(void **state)
{
	(void)state;
	assert_settled((struct pinfold_offer){ .available = 1, .answered = UINT64_MAX,
					       .kept = UINT64_MAX },
		       1, NULL);
	assert_settled((struct pinfold_offer){ .available = 1, .answered = OFFER_AXES,
					       .kept = UINT64_C(1) << 40 },
		       1, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_statement_says_what_is_kept_and_what_is_not),
		cmocka_unit_test(a_statement_of_three_promises_is_an_enumeration),
		cmocka_unit_test(a_statement_can_promise_nothing_and_leave_nothing_open),
		cmocka_unit_test(a_refusal_promises_nothing_whatever_its_bits_say),
		cmocka_unit_test(an_offer_comes_back_from_its_bytes),
		cmocka_unit_test(bytes_that_are_no_offer_are_refused),
		cmocka_unit_test(a_long_text_is_cut),
		cmocka_unit_test(an_offer_without_sense_becomes_a_refusal),
		cmocka_unit_test(a_promise_that_the_host_does_not_know_is_ignored),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/escape_judge.c - the judge of the escape suite, with arms that lie each way. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "escape/judge.h"

static const struct attempt reached = { .ran = true, .reached = true, .twin = true, .effect = true, .text = "reached" };
static const struct attempt refused = { .ran = true, .twin = true, .text = "refused EPERM" };

/* An arm that promises, and refuses what came through without it. */
static struct evidence honest(void)
{
	return (struct evidence){ .kept = true, .control = &reached, .confined = refused };
}

static enum verdict judge(const struct evidence *evidence)
{
	const char *why = NULL;
	enum verdict verdict = judge_case(evidence, &why);
	assert_non_null(why);
	return verdict;
}

static void what_is_promised_and_held_conforms(void **state)
{
	struct evidence evidence = honest();
	(void)state;
	assert_int_equal(judge(&evidence), CONFORMS);
}

static void what_is_promised_and_not_held_is_an_escape(void **state)
{
	struct evidence evidence = honest();
	(void)state;
	evidence.confined = reached;
	assert_int_equal(judge(&evidence), ESCAPED);
}

static void an_effect_is_an_escape_whatever_the_inside_says(void **state)
{
	struct evidence evidence = honest();
	(void)state;
	evidence.confined.effect = true;
	assert_int_equal(judge(&evidence), ESCAPED);
	evidence.confined.unavailable = true;
	assert_int_equal(judge(&evidence), ESCAPED);
	evidence.confined.ran = false;
	assert_int_equal(judge(&evidence), ESCAPED);
	evidence.confined.whole = evidence.may_be_whole = true;
	assert_int_equal(judge(&evidence), ESCAPED);
}

static void what_lands_in_a_private_place_is_no_escape(void **state)
{
	struct evidence evidence = honest();
	(void)state;
	evidence.confined.reached = true;
	assert_int_equal(judge(&evidence), CONFORMS);
}

static void what_is_not_promised_and_not_held_is_as_declared(void **state)
{
	struct evidence evidence = honest();
	(void)state;
	evidence.kept = false;
	evidence.confined = reached;
	assert_int_equal(judge(&evidence), CONFORMS);
}

static void an_arm_that_refuses_everything_is_over_refusing(void **state)
{
	struct evidence evidence = honest();
	(void)state;
	evidence.confined.twin = false;
	assert_int_equal(judge(&evidence), OVER_REFUSED);
	evidence.kept = false;
	assert_int_equal(judge(&evidence), OVER_REFUSED);
}

static void a_refusal_that_the_offer_names_is_none_too_many(void **state)
{
	struct evidence evidence = honest();
	(void)state;
	evidence.confined.twin = false;
	evidence.twin_named = true;
	assert_int_equal(judge(&evidence), CONFORMS);
	evidence.confined.effect = true;
	assert_int_equal(judge(&evidence), ESCAPED);
}

static void words_are_found_one_or_the_other(void **state)
{
	(void)state;
	assert_true(judge_names("a hard link shows it", "hard link|another name"));
	assert_true(judge_names("by another name", "hard link|another name"));
	assert_false(judge_names("by a link", "hard link|another name"));
	assert_false(judge_names("anything", NULL));
	assert_false(judge_names("anything", ""));
	assert_false(judge_names(NULL, "any"));
}

static void an_arm_that_runs_no_command_is_over_refusing(void **state)
{
	struct evidence evidence = honest();
	(void)state;
	evidence.confined = (struct attempt){ .whole = true };
	assert_int_equal(judge(&evidence), OVER_REFUSED);
}

static void a_whole_refusal_conforms_only_where_it_may_be_and_its_twin_runs(void **state)
{
	struct evidence evidence = honest();
	(void)state;
	evidence.may_be_whole = true;
	evidence.confined = (struct attempt){ .whole = true, .twin = true };
	assert_int_equal(judge(&evidence), CONFORMS);
	evidence.confined.twin = false;
	assert_int_equal(judge(&evidence), OVER_REFUSED);
}

static void a_case_that_did_not_end_shows_nothing(void **state)
{
	struct evidence evidence = honest();
	(void)state;
	evidence.confined.ran = false;
	assert_int_equal(judge(&evidence), CONTRADICTION);
}

static void what_fails_without_confinement_measures_nothing(void **state)
{
	struct evidence evidence = honest();
	(void)state;
	evidence.control = &refused;
	assert_int_equal(judge(&evidence), NOT_MEASURED);
}

static void a_twin_that_fails_without_confinement_measures_nothing(void **state)
{
	struct attempt alone = reached;
	struct evidence evidence = honest();
	(void)state;
	alone.twin = false;
	evidence.control = &alone;
	evidence.confined.twin = false;
	assert_int_equal(judge(&evidence), NOT_MEASURED);
}

static void what_the_machine_lacks_measures_nothing(void **state)
{
	struct attempt lacking = { .ran = true, .unavailable = true, .text = "unavailable" };
	struct evidence evidence = honest();
	(void)state;
	evidence.control = &lacking;
	assert_int_equal(judge(&evidence), NOT_MEASURED);
	evidence.control = NULL;
	evidence.confined.unavailable = true;
	assert_int_equal(judge(&evidence), NOT_MEASURED);
}

static void an_escape_that_the_offer_names_is_not_measured(void **state)
{
	struct evidence evidence = honest();
	(void)state;
	evidence.confined = reached;
	evidence.unless = "named pipe";
	assert_int_equal(judge(&evidence), ESCAPED);
	evidence.note = "another limit";
	assert_int_equal(judge(&evidence), ESCAPED);
	evidence.note = "a named pipe takes what is written";
	assert_int_equal(judge(&evidence), NOT_MEASURED);
}

/* --- promises -------------------------------------------------------------------------------------- */
static enum verdict judge_tally(bool kept, bool noted, struct tally tally)
{
	const char *why = NULL;
	enum verdict verdict = judge_promise(kept, noted, &tally, &why);
	assert_non_null(why);
	return verdict;
}

static void a_promise_that_no_case_measured_is_a_contradiction(void **state)
{
	(void)state;
	assert_int_equal(judge_tally(true, false, (struct tally){ 0 }), CONTRADICTION);
	assert_int_equal(judge_tally(true, true, (struct tally){ .unmeasured = 9 }), CONTRADICTION);
	assert_int_equal(judge_tally(true, false, (struct tally){ .held = 1, .unmeasured = 9 }), CONFORMS);
}

static void an_arm_that_holds_without_declaring_is_a_contradiction(void **state)
{
	(void)state;
	assert_int_equal(judge_tally(false, false, (struct tally){ .closed = 3 }), CONTRADICTION);
	assert_int_equal(judge_tally(false, false, (struct tally){ .closed = 3, .open = 1 }), CONFORMS);
	assert_int_equal(judge_tally(false, false, (struct tally){ .unmeasured = 3 }), CONFORMS);
}

static void why_a_promise_is_not_made_may_be_said(void **state)
{
	(void)state;
	assert_int_equal(judge_tally(false, true, (struct tally){ .closed = 3 }), NOT_MEASURED);
}

static void every_case_is_counted_once(void **state)
{
	struct tally tally = { 0 };
	struct evidence evidence = honest();
	(void)state;
	judge_count(&tally, &evidence, CONFORMS);
	judge_count(&tally, &evidence, ESCAPED);
	judge_count(&tally, &evidence, NOT_MEASURED);
	judge_count(&tally, &evidence, OVER_REFUSED);
	evidence.kept = false;
	judge_count(&tally, &evidence, CONFORMS);
	evidence.confined = reached;
	judge_count(&tally, &evidence, CONFORMS);
	assert_int_equal(tally.held, 1);
	assert_int_equal(tally.broken, 1);
	assert_int_equal(tally.unmeasured, 2);
	assert_int_equal(tally.closed, 1);
	assert_int_equal(tally.open, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_promised_and_held_conforms),
		cmocka_unit_test(what_is_promised_and_not_held_is_an_escape),
		cmocka_unit_test(an_effect_is_an_escape_whatever_the_inside_says),
		cmocka_unit_test(what_lands_in_a_private_place_is_no_escape),
		cmocka_unit_test(what_is_not_promised_and_not_held_is_as_declared),
		cmocka_unit_test(an_arm_that_refuses_everything_is_over_refusing),
		cmocka_unit_test(a_refusal_that_the_offer_names_is_none_too_many),
		cmocka_unit_test(words_are_found_one_or_the_other),
		cmocka_unit_test(an_arm_that_runs_no_command_is_over_refusing),
		cmocka_unit_test(a_whole_refusal_conforms_only_where_it_may_be_and_its_twin_runs),
		cmocka_unit_test(a_case_that_did_not_end_shows_nothing),
		cmocka_unit_test(what_fails_without_confinement_measures_nothing),
		cmocka_unit_test(a_twin_that_fails_without_confinement_measures_nothing),
		cmocka_unit_test(what_the_machine_lacks_measures_nothing),
		cmocka_unit_test(an_escape_that_the_offer_names_is_not_measured),
		cmocka_unit_test(a_promise_that_no_case_measured_is_a_contradiction),
		cmocka_unit_test(an_arm_that_holds_without_declaring_is_a_contradiction),
		cmocka_unit_test(why_a_promise_is_not_made_may_be_said),
		cmocka_unit_test(every_case_is_counted_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

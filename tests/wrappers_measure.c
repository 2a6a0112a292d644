/* tests/wrappers_measure.c - the order in which a throwaway build decides, with builds that are told. */
#include "wrappers/measure.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define RUNNING "     Running `w rustc --crate-name pinfold_probe x`\n"

static struct {
	struct outcome with, without, again;	/* `again`: from the second build through the wrapper on */
	unsigned builds, controls;
	bool has_helper;
	const char *preparer;
} scene;

static void build(void *context, size_t trial, bool with, struct outcome *ret_outcome)
{
	(void)context, (void)trial;
	bool first = scene.builds == scene.controls;
	*ret_outcome = !with ? scene.without : first || !scene.has_helper ? scene.with : scene.again;
	ret_outcome->output = ret_outcome->output ? strdup(ret_outcome->output) : NULL;
	scene.builds++;
	scene.controls += !with;
}

static struct decision decide(struct outcome with, struct outcome without, bool nothing_survives)
{
	const struct sight sight = { .directory = "/tree/sub" };
	const struct look look = { .sight = &sight };
	struct measurement measurement = { .toolchain = &toolchain_cargo, .look = &look, .arm = "here",
					   .nothing_survives = nothing_survives,
					   .preparer = scene.preparer, .has_helper = scene.has_helper,
					   .build = build };
	struct decision decision = { 0 };
	scene.with = with;
	scene.without = without;
	scene.builds = scene.controls = 0;
	assert_int_equal(measure(&measurement, &decision), 0);
	assert_string_equal(decision.directory, "/tree/sub");
	assert_true(decision.reason[0]);
	return decision;
}

static void is(struct decision decision, uint32_t kind, const char *wrapper, const char *reason)
{
	assert_int_equal(decision.kind, kind);
	if (wrapper)
		assert_string_equal(decision.wrapper, wrapper);
	else
		assert_null(decision.wrapper);
	if (!strstr(decision.reason, reason))
		fail_msg("no \"%s\" in: %s", reason, decision.reason);
	assert_int_equal(decision_drops(&decision),
			 kind == DECISION_DISABLED || kind == DECISION_UNMEASURED);
	decision_release(&decision);
}

static const struct outcome works = { .started = true, .success = true, .output = (char *)RUNNING };
static const struct outcome fails = { .started = true,
				      .output = (char *)"error: could not execute process `/a/w rustc -vV`\n" };
static const struct outcome plain = {
	.started = true, .success = true,
	.output = (char *)"     Running `rustc --crate-name pinfold_probe x`\n",
};

static void a_build_that_ran_through_a_wrapper_keeps_it(void **state)
{
	(void)state;
	is(decide(works, fails, false), DECISION_KEPT, "w", "compiled through it in the arm here");
	assert_int_equal(scene.controls, 0);
}

static void the_preparer_that_knew_the_wrapper_is_named(void **state)
{
	(void)state;
	scene.preparer = "known";
	is(decide(works, fails, false), DECISION_KEPT, "w", "through it, made ready by the preparer known, in the arm");
	scene.preparer = NULL;
	struct decision decision = decide(works, fails, false);
	assert_null(strstr(decision.reason, "preparer"));
	decision_release(&decision);
}

static void a_build_that_names_none_is_not_configured(void **state)
{
	(void)state;
	is(decide(plain, fails, false), DECISION_NOT_CONFIGURED, NULL, "named no wrapper");
}

static void a_failure_that_a_build_without_it_does_not_have_disables_it(void **state)
{
	(void)state;
	is(decide(fails, plain, false), DECISION_DISABLED, "/a/w", "could not execute process");
	assert_int_equal(scene.controls, 1);
}

static void a_failure_with_and_without_it_is_unmeasured_with_both_error_lines(void **state)
{
	(void)state;
	struct outcome without = { .started = true, .output = (char *)"x\nerror: no std\n" };
	struct decision decision = decide(fails, without, false);
	assert_non_null(strstr(decision.reason, "without it: error: no std"));
	is(decision, DECISION_UNMEASURED, "/a/w", "with it: error: could not execute");
}

static void a_second_build_that_cannot_start_is_part_of_the_reason(void **state)
{
	(void)state;
	struct outcome without = { .output = (char *)"cannot run the program" };
	is(decide(fails, without, false), DECISION_UNMEASURED, "/a/w", "cannot run the program");
}

static void a_cargo_that_cannot_be_started_is_unmeasured(void **state)
{
	(void)state;
	struct outcome none = { .output = (char *)"cargo: not found" };
	is(decide(none, plain, false), DECISION_UNMEASURED, NULL, "cannot be started: cargo: not found");
	assert_int_equal(scene.builds, 1);
}

static void a_survivor_outranks_success_and_failure(void **state)
{
	(void)state;
	struct outcome one = works, two = fails;
	one.survivors = 1;
	two.survivors = 2;
	is(decide(one, plain, false), DECISION_DISABLED, "w", "left 1 process running");
	is(decide(two, plain, false), DECISION_DISABLED, "/a/w", "left 2 processes running");
	assert_int_equal(scene.builds, 1);
}

static void what_escaped_is_counted_and_makes_it_unmeasured(void **state)
{
	(void)state;
	struct outcome one = works;
	one.survivors = 1;
	one.left = 3;
	is(decide(one, plain, false), DECISION_UNMEASURED, "w", "3 processes");
	is(decide(one, plain, true), DECISION_UNMEASURED, "w", "not signalled");
}

/* W8 */
static void where_nothing_can_survive_a_helper_is_no_reason_and_that_is_said(void **state)
{
	(void)state;
	struct outcome one = works;
	one.survivors = 1;
	is(decide(one, plain, true), DECISION_KEPT, "w", "a helper of its own that ended with the build");
	is(decide(works, plain, true), DECISION_KEPT, "w", "nothing can outlive a command");
}

static void a_build_that_hangs_is_unmeasured_and_no_other_is_begun(void **state)
{
	(void)state;
	struct outcome hung = { .started = true, .late = true, .output = (char *)"" };
	is(decide(hung, plain, true), DECISION_UNMEASURED, NULL, "deadline");
	assert_int_equal(scene.builds, 1);
	hung.survivors = 3;	/* what was ended with it, in an arm that leaves that to us */
	is(decide(hung, plain, false), DECISION_UNMEASURED, NULL, "deadline");
	hung.left = 1;
	is(decide(hung, plain, false), DECISION_UNMEASURED, NULL, "could not be ended");
	assert_int_equal(scene.builds, 1);
}

/* A client that finds no server waits for one in vain where that lost its start. */
static void a_failure_where_there_is_a_helper_counts_when_it_comes_twice(void **state)
{
	(void)state;
	struct outcome lost = fails, survived = works, late = { .started = true, .late = true };
	survived.survivors = 1;
	const struct {
		struct outcome again;
		bool nothing_survives;
		uint32_t kind;
		const char *wrapper, *reason;
	} cases[] = {
		{ works, true, DECISION_KEPT, "w", "compiled through it" },
		{ lost, true, DECISION_DISABLED, "/a/w", "could not execute" },
		{ survived, false, DECISION_DISABLED, "w", "left 1 process" },
		{ late, true, DECISION_UNMEASURED, NULL, "deadline" },
	};
	scene.has_helper = true;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		scene.again = cases[i].again;
		is(decide(lost, plain, cases[i].nothing_survives), cases[i].kind, cases[i].wrapper, cases[i].reason);
		assert_int_equal(scene.builds, 3);
		assert_int_equal(scene.controls, 1);
	}
	is(decide(lost, lost, true), DECISION_UNMEASURED, "/a/w", "without it");
	assert_int_equal(scene.builds, 2);
	is(decide(works, plain, true), DECISION_KEPT, "w", "compiled");
	assert_int_equal(scene.builds, 1);
	scene.has_helper = false;
	is(decide(lost, plain, true), DECISION_DISABLED, "/a/w", "could not execute");
	assert_int_equal(scene.builds, 2);
}

static void a_wrapper_of_odd_letters_is_shown_without_them(void **state)
{
	(void)state;
	struct outcome odd = works;
	odd.output = (char *)"     Running `'\033[2Jw' rustc --crate-name pinfold_probe x`\n";
	is(decide(odd, plain, true), DECISION_KEPT, "\\x1b[2Jw", "compiled");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_build_that_ran_through_a_wrapper_keeps_it),
		cmocka_unit_test(the_preparer_that_knew_the_wrapper_is_named),
		cmocka_unit_test(a_build_that_names_none_is_not_configured),
		cmocka_unit_test(a_failure_that_a_build_without_it_does_not_have_disables_it),
		cmocka_unit_test(a_failure_with_and_without_it_is_unmeasured_with_both_error_lines),
		cmocka_unit_test(a_second_build_that_cannot_start_is_part_of_the_reason),
		cmocka_unit_test(a_cargo_that_cannot_be_started_is_unmeasured),
		cmocka_unit_test(a_survivor_outranks_success_and_failure),
		cmocka_unit_test(what_escaped_is_counted_and_makes_it_unmeasured),
		cmocka_unit_test(where_nothing_can_survive_a_helper_is_no_reason_and_that_is_said),
		cmocka_unit_test(a_build_that_hangs_is_unmeasured_and_no_other_is_begun),
		cmocka_unit_test(a_failure_where_there_is_a_helper_counts_when_it_comes_twice),
		cmocka_unit_test(a_wrapper_of_odd_letters_is_shown_without_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

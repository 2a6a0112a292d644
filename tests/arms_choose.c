/* tests/arms_choose.c - which arm a run gets, and what is said of those that were passed over. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "config_place.h"
#include "registry_place.h"

#include "arms/arms.h"
#include "base/clock.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

static const struct arms_group no_group = { false, false, NULL, NULL };

/* Chooses among these fakes in this order. */
static int choose(const char *arms, const char *more, uint64_t require,
		  struct arms_choice *ret_choice, struct pinfold_error *err)
{
	char lines[1024];
	snprintf(lines, sizeof(lines), "probe-timeout = 10s\n%s%s\n%s", arms ? "arms = " : "",
		 arms ? arms : "", more ? more : "");
	struct registry *registry = modules_open(
		"good, older-and-smaller, crashes-in-probe, refuses-silently, promises-the-unknown, "
		"absent, jobobject", lines);
	return arms_choose(registry, modules_config(), require, false, &no_group, ret_choice, err);
}

static void assert_chosen(const char *arms, uint64_t require, const char *name, size_t passed)
{
	struct arms_choice choice = { 0 };
	struct pinfold_error err = { 0 };
	if (choose(arms, NULL, require, &choice, &err) < 0)
		fail_msg("cannot %s: %s", err.action, err.subject);
	assert_string_equal(choice.offer->name, name);
	assert_int_equal(choice.passed.count, passed);
	arms_choice_release(&choice);
	assert_null(choice.offer);
}

static void the_first_arm_that_keeps_what_is_required_is_chosen(void **state)
{
	(void)state;
	assert_chosen("good, older-and-smaller", 0, "good", 0);
	assert_chosen("older-and-smaller, good", 0, "older-and-smaller", 0);
	assert_chosen("older-and-smaller, good", PINFOLD_BIT(NETWORK), "good", 1);
	assert_chosen("absent, crashes-in-probe, older-and-smaller, good", 0, "older-and-smaller", 2);
}

static void each_arm_that_was_passed_over_is_told_with_its_reason(void **state)
{
	(void)state;
	struct arms_choice choice = { 0 };
	assert_int_equal(choose("absent, refuses-silently, older-and-smaller, good", NULL,
				PINFOLD_BIT(NETWORK) | PINFOLD_BIT(PROCESS_TREE), &choice, NULL), 0);
	assert_int_equal(choice.passed.count, 3);
	assert_non_null(strstr(choice.passed.items[0],
			       "absent is not available: cannot find the plugin: absent: no such "
			       "module in "));
	assert_non_null(strstr(choice.passed.items[0], " (lift: install the package that has it"));
	assert_string_equal(choice.passed.items[1],
			    "refuses-silently is not available: refuses-silently gave no reason (lift: "
			    "tell the plugin's author: a refusal must say what is missing)");
	assert_string_equal(choice.passed.items[2],
			    "older-and-smaller does not keep network and process_tree");
	arms_choice_release(&choice);
}

static void without_a_fitting_arm_each_ones_lack_and_lift_is_told(void **state)
{
	(void)state;
	struct arms_choice choice = { 0 };
	struct pinfold_error err = { 0 };
	assert_int_equal(choose("absent, good, older-and-smaller", NULL,
				PINFOLD_BIT(SECRETS) | PINFOLD_BIT(NETWORK), &choice, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_SANDBOX_DENIED);
	assert_string_equal(err.action, "find an arm that keeps secrets and network");
	assert_non_null(strstr(err.subject, "absent is not available: "));
	assert_non_null(strstr(err.subject, "; good does not keep secrets (secrets: it hides nothing)"));
	assert_non_null(strstr(err.subject, "; older-and-smaller does not keep secrets and network"));
	assert_non_null(strstr(err.recovery, "install the package"));
	assert_null(choice.offer);
	assert_null(choice.passed.items);
	assert_int_equal(choose("absent, good, absent", NULL, PINFOLD_BIT(SECRETS), &choice, &err), -1);
	assert_null(strstr(strstr(err.recovery, "install the package") + 1, "install the package"));
	assert_int_equal(choose("good", NULL, PINFOLD_BIT(SECRETS), &choice, &err), -1);
	assert_non_null(strstr(err.recovery, "--require"));
	assert_int_equal(choose("", NULL, 0, &choice, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_SANDBOX_DENIED);
}

static void an_arm_that_was_named_refuses_instead_of_falling_back(void **state)
{
	(void)state;
	struct arms_choice choice = { 0 };
	struct pinfold_error err = { 0 };
	assert_int_equal(choose("good", "arm = jobobject\n", 0, &choice, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_SANDBOX_DENIED);
	assert_string_equal(err.action, "confine the command with the arm jobobject");
	assert_string_equal(err.subject,
			    "jobobject is not available: this build makes no job object");
	assert_string_equal(err.recovery, "use the arm copytree, which leaves the network open, or "
					  "namespaces");
	assert_int_equal(choose("good", "arm = older-and-smaller\n", PINFOLD_BIT(NETWORK), &choice,
				&err), -1);
	assert_int_equal(err.code, PINFOLD_E_SANDBOX_DENIED);
	assert_int_equal(choose("good", "arm = older-and-smaller\n", 0, &choice, &err), 0);
	assert_string_equal(choice.offer->name, "older-and-smaller");
	arms_choice_release(&choice);
}

static void a_mistyped_arm_is_an_error_and_no_reason_for_a_weaker_one(void **state)
{
	(void)state;
	struct arms_choice choice = { 0 };
	struct pinfold_error err = { 0 };
	assert_int_equal(choose("goood, older-and-smaller", NULL, 0, &choice, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_CONFIG);
	assert_string_equal(err.recovery, "did you mean good?");
	assert_int_equal(choose("good", "arm = jobobjekt\n", 0, &choice, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_CONFIG);
	assert_string_equal(err.recovery, "did you mean jobobject?");
	assert_int_equal(choose("good, older-and-smaller", "[arm:good]\nwort = kept\n", 0, &choice,
				&err), -1);
	assert_int_equal(err.code, PINFOLD_E_CONFIG);
	assert_null(choice.offer);
}

static void an_arm_of_the_built_in_preference_may_have_no_module(void **state)
{
	(void)state;
	struct arms_choice choice = { 0 };
	struct pinfold_error err = { 0 };
	assert_int_equal(choose(NULL, NULL, 0, &choice, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_SANDBOX_DENIED);
	assert_non_null(strstr(err.subject, "copytree is not available"));
}

static void a_promise_that_nobody_here_knows_cannot_be_required(void **state)
{
	(void)state;
	struct arms_choice choice = { 0 };
	struct pinfold_error err = { 0 };
	assert_int_equal(choose("promises-the-unknown", NULL, 0, &choice, &err), 0);
	arms_choice_release(&choice);
	assert_int_equal(choose("promises-the-unknown", NULL, UINT64_C(1) << 40, &choice, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_SANDBOX_DENIED);
	assert_non_null(strstr(err.subject, "this pinfold does not know"));
}

static void every_arm_is_named_once_the_preferred_first(void **state)
{
	(void)state;
	struct list names = { 0 };
	struct registry *registry =
		modules_open("jobobject, good, older-and-smaller", "arms = older-and-smaller, absent\n");
	assert_int_equal(arms_names(registry, modules_config(), &names), 0);
	static const char *const expected[] = { "older-and-smaller", "absent", "jobobject", "good" };
	assert_int_equal(names.count, N_ELEMENTS(expected));
	for (size_t i = 0; i < names.count; i++)
		assert_string_equal(names.items[i], expected[i]);
	list_release(&names);
}

static void choosing_a_remembered_arm_loads_one_module_and_costs_little(void **state)
{
	(void)state;
	uint64_t least = UINT64_MAX;
	assert_chosen("good, older-and-smaller", PINFOLD_BIT(NETWORK), "good", 0);
	struct registry *registry = modules_reopen();
	for (int i = 0; i < 50; i++) {
		struct arms_choice choice = { 0 };
		uint64_t start = clock_nanoseconds();
		int result = arms_choose(registry, modules_config(), PINFOLD_BIT(NETWORK), false, &no_group, &choice, NULL);
		uint64_t gone = clock_nanoseconds() - start;
		least = gone < least ? gone : least;
		assert_int_equal(result, 0);
		assert_true(choice.offer->remembered);
		arms_choice_release(&choice);
	}
	print_message("the fastest of 50 choices took %llu ns\n", (unsigned long long)least);
	assert_in_range(least, 1, 100000);
	for (size_t i = 0; i < registry_count(registry); i++)
		assert_int_equal(registry_module(registry, i)->state == MODULE_LOADED,
				 streq(registry_module(registry, i)->name, "good"));
}

/* The arm holds a command in its cgroup, and the host has one, or both but for one of them. */
static void ceilings_are_kept_where_the_arm_holds_a_group_and_the_host_has_one(void **state)
{
	(void)state;
	const struct arms_group had = { true, true, "", "" }, refused = { true, false, "no such thing", "have one" };
	struct registry *registry = modules_open("good", "arms = good\n");
	for (int i = 0; i < 4; i++) {
		struct arms_offer *offer = arms_probe(registry, modules_config(), "good", true);
		offer->offer.kept &= ~PINFOLD_BIT(RESOURCES);
		offer->offer.holds_group = i & 1;
		arms_answer_group(offer, i & 2 ? &had : &refused);
		assert_int_equal(!!(offer->offer.kept & PINFOLD_BIT(RESOURCES)), i == 3);
		if (i == 1)
			assert_string_equal(offer->offer.note[PINFOLD_AXIS_RESOURCES], "no such thing");
		arms_offer_free(offer);
	}
}

#define MODULES_TEST(name) cmocka_unit_test_setup_teardown(name, modules_set_up, modules_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		MODULES_TEST(the_first_arm_that_keeps_what_is_required_is_chosen),
		MODULES_TEST(each_arm_that_was_passed_over_is_told_with_its_reason),
		MODULES_TEST(without_a_fitting_arm_each_ones_lack_and_lift_is_told),
		MODULES_TEST(an_arm_that_was_named_refuses_instead_of_falling_back),
		MODULES_TEST(a_mistyped_arm_is_an_error_and_no_reason_for_a_weaker_one),
		MODULES_TEST(an_arm_of_the_built_in_preference_may_have_no_module),
		MODULES_TEST(a_promise_that_nobody_here_knows_cannot_be_required),
		MODULES_TEST(every_arm_is_named_once_the_preferred_first),
		MODULES_TEST(ceilings_are_kept_where_the_arm_holds_a_group_and_the_host_has_one),
		MODULES_TEST(choosing_a_remembered_arm_loads_one_module_and_costs_little),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

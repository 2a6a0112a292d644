/* tests/seatbelt_elsewhere.c - elsewhere than on a Mac the arm is refused with its reason, and still shows what
 * its profile would be. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "namespaces_host.h"

#include "base/text.h"
#include "plugins/seatbelt/seatbelt.h"

#include <errno.h>

static void the_arm_is_refused_and_says_of_which_system_it_is_a_part(void **state)
{
	struct test_host host;
	struct pinfold_offer offer = { .size = sizeof(offer) };
	struct pinfold_error err = { 0 };
	(void)state;
	test_host_open(&host);
	assert_int_equal(seatbelt_arm.probe(&host.table, &offer, &err), 0);
	assert_int_equal(offer.available, 0);
	assert_int_equal(offer.answered, (1u << PINFOLD_AXIS_COUNT) - 1);
	assert_non_null(strstr(offer.missing, "macOS"));
	assert_non_null(offer.lift);
	test_host_close(&host);
}

static void a_plan_can_be_described_and_not_entered(void **state)
{
	struct test_host host;
	struct pinfold_error err = { 0 };
	struct pinfold_path hidden = { .size = sizeof(hidden), .path = "/home/u/.ssh", .inode = 1 };
	struct pinfold_policy policy = { .size = sizeof(policy), .paths = &hidden, .path_count = 1 };
	struct pinfold_shown shown = { .size = sizeof(shown), .tree = "/home/u/t", .source = "/s/t",
				       .temporary = "/s/tmp", .directory = "/home/u/t/below" };
	const struct pinfold_detail *details;
	size_t count, found = 0;
	(void)state;
	test_host_open(&host);
	struct pinfold_plan plan = { .size = sizeof(plan), .host = &host.table };
	assert_int_equal(seatbelt_arm.prepare(&host.table, &policy, &shown, &plan, &err), 0);
	assert_string_equal(plan.directory, "/s/t/below");
	assert_int_equal(seatbelt_arm.describe(&host.table, &policy, &plan, &details, &count, &err), 0);
	assert_true(count > 10);
	assert_string_equal(details[0].what, "(version 1)");
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(details[i].kind, PINFOLD_DETAIL_RULE);
		assert_null(strchr(details[i].what, '\n'));
		assert_null(strstr(details[i].what, "param"));
		found += streq(details[i].what, "(deny file-read* file-write* process-exec* network-outbound network-bind "
						"(subpath \"/home/u/.ssh\"))");
	}
	assert_int_equal(found, 1);
	assert_int_equal(seatbelt_arm.enter(&plan, PINFOLD_STAGE_APPLY), -ENOSYS);
	assert_int_equal(seatbelt_arm.enter(&plan, PINFOLD_STAGE_VERIFY), -ENOSYS);
	assert_int_equal(seatbelt_arm.settle(&host.table, &plan, &err), 0);
	seatbelt_arm.release(&host.table, &plan);
	test_host_close(&host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_arm_is_refused_and_says_of_which_system_it_is_a_part),
		cmocka_unit_test(a_plan_can_be_described_and_not_entered),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/face_refused.c - what an arm heard that its command was refused: in the receipt, and the first of it said. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "face_place.h"

#include <pinfold/pinfold.h>
#include <pinfold/plugin.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char said[1 << 14];
static unsigned lines;

static void hear(void *context, uint32_t level, const char *text)
{
	size_t length = strlen(said);
	(void)context;
	if (level != PINFOLD_LOG_WARNING)
		return;
	lines++;
	snprintf(said + length, sizeof(said) - length, "%s\n", text);
}

/* Runs a command that ends well, and gives its receipt; the caller frees it. */
static char *receipt_of(const char *heard, const char *denials)
{
	static const char *const argv[] = { "true", NULL };
	const struct pinfold_command command = {
		.size = sizeof(command), .argv = argv, .streams = { -1, -1, -1 },
	};
	char setting[64];
	const char *const settings[] = {
		"pinfold.plugins=hears-refusals", "pinfold.arm=hears-refusals", "pinfold.view=direct", "network.mode=none",
		"pinfold.preset=", setting, denials, NULL,
	};
	snprintf(setting, sizeof(setting), "arm:hears-refusals.heard=%s", heard);
	const struct pinfold_options options = { .size = sizeof(options), .settings = settings, .log = hear };
	struct pinfold *pinfold;
	struct pinfold_error err = { 0 };
	struct pinfold_result result = { .size = sizeof(result) };
	struct pinfold_run *run = NULL;
	uint32_t over;
	char *receipt = NULL;
	said[0] = '\0';
	lines = 0;
	if (pinfold_new(&options, &pinfold, &err) < 0 || pinfold_run_start(pinfold, &command, &run, &err) < 0)
		fail_msg("%s: %s: %s", err.action, err.subject, err.recovery);
	assert_int_equal(pinfold_run_wait(run, -1, &over, NULL), 0);
	assert_int_equal(pinfold_run_result(run, &result, NULL), 0);
	assert_int_equal(result.exit_code, 0);
	assert_int_equal(pinfold_run_receipt(run, &receipt, NULL), 0);
	pinfold_run_free(run);
	pinfold_free(pinfold);
	return receipt;
}

static void must_have(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no `%s` in:\n%s", part, text);
}

static void what_an_arm_heard_is_in_the_receipt_and_said_with_what_would_lift_it(void **state)
{
	(void)state;
	char *receipt = receipt_of("some", "pinfold.denials=yes");
	must_have(receipt, "\"operation\": \"write\"");
	must_have(receipt, "\"target\": \"/nonexistent/elsewhere/file\"");
	must_have(receipt, "\"call\": \"file-write-data\"");
	must_have(receipt, "\"count\": 3");
	must_have(receipt, "\"lift\": \"set [filesystem] writable = /nonexistent/elsewhere/file\"");
	must_have(receipt, "\"denials_missing\": null");
	must_have(said, "refused to write /nonexistent/elsewhere/file: nothing allows it; if that was wanted: set [filesystem]");
	/* What is of no known kind, and what is of an older layout. */
	must_have(said, "refused to call org.example.service: nothing allows it; if that was wanted: nothing lifts that\n");
	must_have(said, "refused to connect to 192.0.2.1:443: the arm refuses it; if that was wanted: nothing of the policy");
	assert_int_equal(lines, 3);
	free(receipt);
}

static void only_the_first_few_are_said_and_what_is_past_the_bound_is_counted(void **state)
{
	(void)state;
	char *receipt = receipt_of("many", "pinfold.denials=yes");
	must_have(receipt, "\"target\": \"/n/255\"");
	assert_null(strstr(receipt, "\"/n/256\""));
	must_have(receipt, "\"denials_more\": 44");
	must_have(said, "refused 251 more, which the receipt lists");
	assert_int_equal(lines, 6);
	free(receipt);
}

static void that_an_arm_heard_not_all_is_told_and_harms_nothing(void **state)
{
	(void)state;
	char *receipt = receipt_of("trouble", "pinfold.denials=yes");
	must_have(receipt, "\"denials\": []");
	must_have(receipt, "\"denials_missing\": \"the log fell silent\"");
	must_have(said, "not all that was refused is told: the log fell silent");
	free(receipt);
}

static void an_arm_that_nobody_asks_tells_nothing(void **state)
{
	(void)state;
	char *receipt = receipt_of("some", NULL);
	assert_null(strstr(receipt, "elsewhere"));
	assert_int_equal(lines, 0);
	free(receipt);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_an_arm_heard_is_in_the_receipt_and_said_with_what_would_lift_it),
		cmocka_unit_test(only_the_first_few_are_said_and_what_is_past_the_bound_is_counted),
		cmocka_unit_test(that_an_arm_heard_not_all_is_told_and_harms_nothing),
		cmocka_unit_test(an_arm_that_nobody_asks_tells_nothing),
	};
	return cmocka_run_group_tests(tests, face_place_make, face_place_remove);
}

/* tests/face_begun.c - a child that was begun and never gets its command. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "face_place.h"

#include <pinfold/pinfold.h>

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>

static unsigned said;

static void hear(void *context, uint32_t level, const char *text)
{
	(void)context;
	(void)level;
	print_error("%s\n", text);
	said++;
}

static void what_was_begun_has_ended_before_its_arm_is_settled(void **state)
{
	(void)state;
	static const char *const settings[] = {
		"pinfold.plugins=takes-its-time", "pinfold.arms=takes-its-time", "pinfold.view=direct",
		"network.mode=host", "pinfold.preset=", NULL,
	};
	static const char *const argv[] = { "/nowhere/such-a-program", NULL };
	const struct pinfold_options options = { .size = sizeof(options), .settings = settings, .log = hear };
	const struct pinfold_command command = {
		.size = sizeof(command), .argv = argv, .streams = { -1, -1, -1 },
	};
	struct pinfold *pinfold;
	struct pinfold_run *run;
	struct pinfold_error err = { 0 };
	int opened = pinfold_new(&options, &pinfold, &err);
	if (opened < 0)
		print_error("%s: %s\n", err.action, err.subject);
	assert_int_equal(opened, 0);
	assert_int_equal(pinfold_run_start(pinfold, &command, &run, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_NOT_FOUND);
	assert_int_equal(said, 0);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	pinfold_free(pinfold);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_begun_has_ended_before_its_arm_is_settled),
	};
	return cmocka_run_group_tests(tests, face_place_make, face_place_remove);
}

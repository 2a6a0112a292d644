/* tests/face_begun.c - a child that was begun and never gets its command. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "face_place.h"

#include "face/face.h"
#include "registry/records.h"

#include <pinfold/plugin.h>

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>

static unsigned said;

static void hear(void *context, uint32_t level, const char *text)
{
	(void)context;
	if (level != PINFOLD_LOG_WARNING)
		return;
	print_error("%s\n", text);
	said++;
}

static struct pinfold *open_expecting(const char *arms, const char *promise,
				      const struct pinfold_command *expected)
{
	const char *const settings[] = {
		"pinfold.plugins=takes-its-time, good", "pinfold.view=direct", "network.mode=host",
		"pinfold.preset=", arms, promise, NULL,
	};
	const struct pinfold_options options = { .size = sizeof(options), .settings = settings, .log = hear,
						 .expected = expected };
	struct pinfold *pinfold;
	struct pinfold_error err = { 0 };
	int opened = pinfold_new(&options, &pinfold, &err);
	if (opened < 0)
		print_error("%s: %s\n", err.action, err.subject);
	assert_int_equal(opened, 0);
	return pinfold;
}

static struct pinfold *open_pinfold(const char *arms, const char *promise)
{
	return open_expecting(arms, promise, NULL);
}

/* Starts a run that comes to nothing: the code of why. */
static uint32_t run_in_vain(const char *arms, const char *promise)
{
	static const char *const argv[] = { "/nowhere/such-a-program", NULL };
	const struct pinfold_command command = {
		.size = sizeof(command), .argv = argv, .streams = { -1, -1, -1 },
	};
	struct pinfold *pinfold = open_pinfold(arms, promise);
	struct pinfold_run *run;
	struct pinfold_error err = { 0 };
	assert_int_equal(pinfold_run_start(pinfold, &command, &run, &err), -1);
	assert_int_equal(said, 0);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	pinfold_free(pinfold);
	return err.code;
}

static void what_was_begun_has_ended_before_its_arm_is_settled(void **state)
{
	(void)state;
	assert_int_equal(run_in_vain("pinfold.arms=takes-its-time", NULL), PINFOLD_E_NOT_FOUND);
}

static void what_was_begun_for_an_arm_that_will_not_do_has_ended_before_that_is_settled(void **state)
{
	(void)state;
	assert_int_equal(run_in_vain("pinfold.arms=takes-its-time", "pinfold.require=kernel"),
			 PINFOLD_E_SANDBOX_DENIED);
	assert_int_equal(run_in_vain("pinfold.arms=takes-its-time, good", "pinfold.require=process_tree"),
			 PINFOLD_E_NOT_FOUND);
}

static void a_command_gets_nothing_of_what_was_begun_for_another_arm(void **state)
{
	char user[64] = "";
	const char *const argv[] = {
		"/bin/sh", "-c", "test \"$(readlink /proc/self/ns/user)\" = \"$0\"", user, NULL,
	};
	const struct pinfold_command command = {
		.size = sizeof(command), .argv = argv, .streams = { -1, -1, -1 },
	};
	struct pinfold_result result = { .size = sizeof(result) };
	struct pinfold_run *run;
	uint32_t over;
	(void)state;
	assert_true(readlink("/proc/self/ns/user", user, sizeof(user) - 1) > 0);
	struct pinfold *pinfold =
		open_pinfold("pinfold.arms=takes-its-time, good", "pinfold.require=process_tree");
	assert_int_equal(pinfold_run_start(pinfold, &command, &run, NULL), 0);
	assert_int_equal(pinfold_run_wait(run, -1, &over, NULL), 0);
	assert_int_equal(pinfold_run_result(run, &result, NULL), 0);
	assert_int_equal(result.exit_code, 0);
	pinfold_run_free(run);
	pinfold_free(pinfold);
	assert_int_equal(said, 0);
}

static const char *const true_argv[] = { "/bin/true", NULL };
static const struct pinfold_command true_command = {
	.size = sizeof(true_command), .argv = true_argv, .streams = { -1, -1, -1 },
};

static bool has_children(void)
{
	return waitpid(-1, NULL, WNOHANG | __WALL) == 0;
}

/* The first of a test: the machine may allow no namespaces. */
static struct pinfold *open_begun(const char *arms)
{
	struct pinfold *pinfold = open_expecting(arms, NULL, &true_command);
	if (!has_children()) {
		pinfold_free(pinfold);
		print_message("skipped: this machine makes no namespaces for us\n");
		skip();
	}
	return pinfold;
}

static void assert_runs(struct pinfold *pinfold, const struct pinfold_command *command)
{
	struct pinfold_result result = { .size = sizeof(result) };
	struct pinfold_error err = { 0 };
	struct pinfold_run *run;
	uint32_t over;
	if (pinfold_run_start(pinfold, command, &run, &err) < 0)
		fail_msg("%s: %s", err.action, err.subject);
	assert_int_equal(pinfold_run_wait(run, -1, &over, NULL), 0);
	assert_int_equal(pinfold_run_result(run, &result, NULL), 0);
	assert_int_equal(result.exit_code, 0);
	pinfold_run_free(run);
}

static void what_was_begun_for_an_expected_run_goes_when_that_does_not_come(void **state)
{
	(void)state;
	struct pinfold *pinfold = open_begun("pinfold.arms=good");
	pinfold_free(pinfold);
	assert_false(has_children());
	pinfold = open_expecting("pinfold.arms=good", NULL, &true_command);
	assert_true(has_children());
	const struct pinfold_command nothing = { .size = sizeof(nothing), .streams = { -1, -1, -1 }, .argv = true_argv,
						 .directory = "" };
	struct pinfold_run *run;
	assert_int_equal(pinfold_run_start(pinfold, &nothing, &run, NULL), -1);
	assert_false(has_children());
	pinfold_free(pinfold);
}

static void nothing_is_begun_for_a_run_that_is_expected_on_the_host_or_keeps_descriptors(void **state)
{
	const int kept[] = { 2, -1 };
	struct pinfold_command command = true_command;
	(void)state;
	command.where = PINFOLD_WHERE_HOST;
	pinfold_free(open_expecting("pinfold.arms=good", NULL, &command));
	command.where = PINFOLD_WHERE_SANDBOX;
	command.descriptors = kept;
	struct pinfold *pinfold = open_expecting("pinfold.arms=good", NULL, &command);
	assert_false(has_children());
	pinfold_free(pinfold);
}

static void an_arm_that_wants_another_child_gets_it_and_the_guess_is_not_made_again(void **state)
{
	static const char *const arms[] = { "pinfold.arms=takes-its-time", "pinfold.arms=good" };
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		records_forget(ahead_record);
		struct pinfold *pinfold = open_begun(arms[i]);
		assert_runs(pinfold, &true_command);
		pinfold_free(pinfold);
		assert_false(has_children());
		pinfold = open_expecting(arms[i], NULL, &true_command);
		assert_false(has_children());
		assert_runs(pinfold, &true_command);
		pinfold_free(pinfold);
	}
	records_forget(ahead_record);
}

/* The exit code of a run; a thread cannot fail a test. */
static void *run_with_turns(void *pinfold)
{
	struct pinfold_error err = { 0 };
	struct pinfold_run *run;
	uint32_t over;
	if (pinfold_run_start(pinfold, &true_command, &run, &err) < 0) {
		print_error("%s: %s\n", err.action, err.subject);
		return pinfold;
	}
	bool waited = pinfold_run_wait(run, -1, &over, NULL) == 0;
	pinfold_run_free(run);
	return waited ? NULL : pinfold;
}

static void a_module_of_an_older_interface_is_called_by_one_thread_at_a_time(void **state)
{
	static const char *const settings[] = {
		"pinfold.plugins=takes-turns", "pinfold.arm=takes-turns", "pinfold.view=direct",
		"network.mode=host", "pinfold.preset=", NULL,
	};
	const struct pinfold_options options = { .size = sizeof(options), .settings = settings };
	struct pinfold *pinfold;
	pthread_t threads[6];
	void *wrong;
	(void)state;
	assert_int_equal(pinfold_new(&options, &pinfold, NULL), 0);
	for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++)
		assert_int_equal(pthread_create(&threads[i], NULL, run_with_turns, pinfold), 0);
	for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
		assert_int_equal(pthread_join(threads[i], &wrong), 0);
		assert_null(wrong);
	}
	pinfold_free(pinfold);
}

/* Constructs that came later than the module: each by name, and no run without accepting them. */
static void what_an_older_module_cannot_know_is_a_gap_by_name(void **state)
{
	static const char *const expected[] = {
		"\"execution:/usr\"", "\"kernel:debug\"", "\"network:ports\"", "before there was this construct",
		"E_SANDBOX_DENIED",
	};
	static const char *const settings[] = {
		"pinfold.plugins=takes-turns", "pinfold.arm=takes-turns", "pinfold.view=direct",
		"network.mode=ports", "network.connect=443", "pinfold.preset=", "filesystem.executable=/usr",
		"kernel.refuse=debug", NULL,
	};
	static const char *const argv[] = { "true", NULL };
	const struct pinfold_options options = { .size = sizeof(options), .settings = settings };
	const struct pinfold_command command = { .size = sizeof(command), .argv = argv };
	struct pinfold *pinfold;
	struct pinfold_error err = { 0 };
	char *document = NULL;
	(void)state;
	assert_int_equal(pinfold_new(&options, &pinfold, NULL), 0);
	if (pinfold_describe_run(pinfold, &command, PINFOLD_FORM_JSON, &document, &err) < 0)
		fail_msg("%s: %s", err.action, err.subject);
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		if (!strstr(document, expected[i]))
			fail_msg("no %s in %s", expected[i], document);
	free(document);
	pinfold_free(pinfold);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_an_older_module_cannot_know_is_a_gap_by_name),
		cmocka_unit_test(a_module_of_an_older_interface_is_called_by_one_thread_at_a_time),
		cmocka_unit_test(what_was_begun_has_ended_before_its_arm_is_settled),
		cmocka_unit_test(
			what_was_begun_for_an_arm_that_will_not_do_has_ended_before_that_is_settled),
		cmocka_unit_test(a_command_gets_nothing_of_what_was_begun_for_another_arm),
		cmocka_unit_test(what_was_begun_for_an_expected_run_goes_when_that_does_not_come),
		cmocka_unit_test(nothing_is_begun_for_a_run_that_is_expected_on_the_host_or_keeps_descriptors),
		cmocka_unit_test(an_arm_that_wants_another_child_gets_it_and_the_guess_is_not_made_again),
	};
	return cmocka_run_group_tests(tests, face_place_make, face_place_remove);
}

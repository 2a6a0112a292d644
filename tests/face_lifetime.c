/* tests/face_lifetime.c - a run that is waited for, listed, and given up. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "face_open.h"
#include "face_place.h"

#include <pinfold/pinfold.h>

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Where the tree itself is shown, what a command leaves is seen from outside. */
static struct pinfold *open_pinfold(void)
{
	static const char *const settings[] = { "pinfold.view=direct", NULL };
	return face_open(settings);
}

static struct pinfold_run *start_within(struct pinfold *pinfold, uint64_t milliseconds, const char *script)
{
	const char *const argv[] = { "sh", "-c", script, NULL };
	const struct pinfold_command command = {
		.size = sizeof(command), .argv = argv, .streams = { -1, -1, -1 }, .most_milliseconds = milliseconds,
	};
	struct pinfold_run *run;
	struct pinfold_error err = { 0 };
	if (pinfold_run_start(pinfold, &command, &run, &err) < 0)
		fail_msg("%s: %s", err.action, err.subject);
	return run;
}

static struct pinfold_run *start(struct pinfold *pinfold, const char *script)
{
	return start_within(pinfold, 0, script);
}

static uint64_t now_milliseconds(void)
{
	struct timespec at;
	clock_gettime(CLOCK_MONOTONIC, &at);
	return (uint64_t)at.tv_sec * 1000 + (uint64_t)at.tv_nsec / 1000000;
}

static bool is_there(const char *name)
{
	return access(name, F_OK) == 0;
}

static bool appears(const char *name)
{
	for (int i = 0; i < 1000 && !is_there(name); i++)
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	return is_there(name);
}

static bool no_child_is_left(void)
{
	for (int i = 0; i < 1000; i++) {
		if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD)
			return true;
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	}
	return false;
}

static void waiting_ends_with_its_limit_and_the_run_goes_on(void **state)
{
	(void)state;
	struct pinfold *pinfold = open_pinfold();
	struct pinfold_run *run = start(pinfold, "sleep 0.4; exit 3");
	struct pinfold_result result = { .size = sizeof(result) };
	uint32_t is = 7;
	uint64_t began = now_milliseconds();
	assert_int_equal(pinfold_run_wait(run, 100, &is, NULL), 0);
	assert_int_equal(is, PINFOLD_RUNNING);
	assert_true(now_milliseconds() - began >= 95);
	assert_int_equal(pinfold_run_wait(run, 0, &is, NULL), 0);
	assert_int_equal(is, PINFOLD_RUNNING);
	assert_int_equal(pinfold_run_wait(run, 30000, &is, NULL), 0);
	assert_int_equal(is, PINFOLD_OVER);
	assert_true(now_milliseconds() - began < 20000);
	assert_int_equal(pinfold_run_result(run, &result, NULL), 0);
	assert_int_equal(result.exit_code, 3);
	pinfold_run_free(run);
	pinfold_free(pinfold);
}

static void members_are_all_that_the_run_started_also_where_they_left_its_session(void **state)
{
	(void)state;
	struct pinfold *pinfold = open_pinfold();
	unlink("up");
	struct pinfold_run *run = start(pinfold, "setsid sh -c '(sleep 60 & sleep 60 & >up; wait)' & sleep 60; true");
	int32_t pids[16];
	size_t count = 0;
	uint32_t is;
	assert_true(appears("up"));
	for (int i = 0; i < 500 && count < 5; i++) {
		assert_int_equal(pinfold_run_members(run, pids, 16, &count, NULL), 0);
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	}
	assert_in_range(count, 5, 7);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(kill(pids[i], 0), 0);
	assert_int_equal(pinfold_run_members(run, pids, 1, &count, NULL), 0);
	assert_in_range(count, 5, 7);
	assert_int_equal(pinfold_run_end(run), 0);
	assert_int_equal(pinfold_run_wait(run, 30000, &is, NULL), 0);
	assert_int_equal(pinfold_run_members(run, pids, 16, &count, NULL), 0);
	assert_int_equal(count, 0);
	pinfold_run_free(run);
	pinfold_free(pinfold);
}

static void a_detached_run_goes_on_to_its_end_and_is_settled(void **state)
{
	(void)state;
	struct pinfold *pinfold = open_pinfold();
	struct pinfold_error err = { 0 };
	char name[32];
	for (int i = 0; i < 5; i++) {
		char script[64];
		snprintf(name, sizeof(name), "late%d", i);
		snprintf(script, sizeof(script), "sleep 0.%d; >%s", 1 + i, name);
		assert_int_equal(pinfold_run_detach(start(pinfold, script), &err), 0);
	}
	for (int i = 0; i < 5; i++) {
		snprintf(name, sizeof(name), "late%d", i);
		assert_true(appears(name));
		unlink(name);
	}
	pinfold_free(pinfold);
	assert_true(no_child_is_left());
}

static void a_detached_run_keeps_its_time_limit(void **state)
{
	(void)state;
	struct pinfold *pinfold = open_pinfold();
	char script[] = "trap '' TERM; >begun; sleep 0.6; >too-late; sleep 60";
	assert_int_equal(pinfold_run_detach(start_within(pinfold, 200, script), NULL), 0);
	assert_true(appears("begun"));
	nanosleep(&(struct timespec){ .tv_sec = 1 }, NULL);
	assert_false(is_there("too-late"));
	unlink("begun");
	pinfold_free(pinfold);
}

static void a_detached_run_outlives_its_cage(void **state)
{
	(void)state;
	static const char *const settings[] = { "limits.open-files=99", NULL }, *const argv[] = {
		"sh", "-c", "sleep 0.3; ulimit -n >caged", NULL,
	};
	const struct pinfold_cage_order order = { .size = sizeof(order), .settings = settings };
	const struct pinfold_command command = { .size = sizeof(command), .argv = argv, .streams = { -1, -1, -1 } };
	struct pinfold *pinfold = open_pinfold();
	char name[64];
	for (int i = 0; i < 10; i++) {	/* more than are kept: those that are detached go with their runs */
		const char *const other[] = { name, NULL };
		struct pinfold_cage_order another = order;
		struct pinfold_cage *cage;
		struct pinfold_run *run;
		snprintf(name, sizeof(name), "limits.open-files=%d", 99 - i);
		another.settings = other;
		assert_int_equal(pinfold_cage_open(pinfold, &another, &cage, NULL), 0);
		assert_int_equal(pinfold_cage_start(cage, &command, &run, NULL), 0);
		assert_int_equal(pinfold_run_detach(run, NULL), 0);
		pinfold_cage_close(cage);
	}
	assert_true(appears("caged"));
	nanosleep(&(struct timespec){ .tv_nsec = 500000000 }, NULL);
	pinfold_free(pinfold);
	unlink("caged");
	assert_true(no_child_is_left());
}

static void freeing_the_handle_ends_what_was_detached(void **state)
{
	(void)state;
	struct pinfold *pinfold = open_pinfold();
	struct pinfold_error err = { 0 };
	assert_int_equal(pinfold_run_detach(start(pinfold, "sleep 60 & sleep 60"), &err), 0);
	assert_int_equal(pinfold_run_detach(NULL, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_USAGE);
	uint64_t began = now_milliseconds();
	pinfold_free(pinfold);
	assert_true(now_milliseconds() - began < 20000);
	assert_true(no_child_is_left());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waiting_ends_with_its_limit_and_the_run_goes_on),
		cmocka_unit_test(members_are_all_that_the_run_started_also_where_they_left_its_session),
		cmocka_unit_test(a_detached_run_goes_on_to_its_end_and_is_settled),
		cmocka_unit_test(a_detached_run_keeps_its_time_limit),
		cmocka_unit_test(a_detached_run_outlives_its_cage),
		cmocka_unit_test(freeing_the_handle_ends_what_was_detached),
	};
	return cmocka_run_group_tests(tests, face_place_make, face_place_remove);
}

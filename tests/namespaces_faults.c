/* tests/namespaces_faults.c - what changes or runs out while the view is laid, and steps that do nothing:
 * each ends the run by name, before the command. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "namespaces_world.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What cannot be raised again is for another process. */
static int try_with_few(rlim_t hard)
{
	const struct rlimit few = { 12, hard };
	pid_t child = fork();
	if (child == 0) {
		setrlimit(RLIMIT_NOFILE, &few);
		trial_run(&world.host.table, &world.plan, world_does_nothing, &world, &world.trial);
		bool named = world.trial.step == TRIAL_VIEW && world.trial.error == EMFILE && world.trial.what;
		_exit(named ? 1 : world.trial.step == TRIAL_DONE ? 0 : 2);
	}
	int status = -1;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void too_few_descriptors_fail_by_name_where_there_can_be_no_more(void **state)
{
	struct rlimit own;
	(void)state;
	getrlimit(RLIMIT_NOFILE, &own);
	world.plan = (struct pinfold_plan){ .size = sizeof(world.plan) };
	assert_int_equal(prepare_plan(&world.host.table, &world.policy, &world.shown, &world.plan, &world.err), 0);
	assert_int_equal(try_with_few(12), 1);
	assert_int_equal(try_with_few(own.rlim_max), 0);
}

static void a_hidden_path_that_became_a_link_fails_by_name(void **state)
{
	(void)state;
	const char *elsewhere = world_path(&world, world.base, "elsewhere");
	assert_int_equal(rename(world.secret, elsewhere), 0);
	assert_int_equal(symlink(elsewhere, world.secret), 0);
	struct trial trial = world_try(&world, world_does_nothing);
	assert_int_equal(trial.step, TRIAL_VIEW);
	assert_int_equal(trial.error, ELOOP);
	assert_true(starts_with(trial.what, "hide ") && ends_with(trial.what, "/secret"));
}

static void a_hidden_path_that_vanished_is_no_failure(void **state)
{
	(void)state;
	assert_int_equal(unlink(world.secret), 0);
	assert_int_equal(world_inside(&world, world_does_nothing), 0);
}

static void a_copy_that_was_replaced_is_not_shown(void **state)
{
	(void)state;
	const char *elsewhere = world_path(&world, world.scratch, "old");
	assert_int_equal(rename(world.copy, elsewhere), 0);
	assert_int_equal(mkdir(world.copy, 0700), 0);
	assert_int_equal(world_try(&world, world_does_nothing).error, ESTALE);
	assert_int_equal(rmdir(world.copy), 0);
	assert_int_equal(symlink(world.outside, world.copy), 0);
	assert_int_equal(world_try(&world, world_does_nothing).error, ELOOP);
}

static void a_writable_path_that_was_replaced_is_not_shown(void **state)
{
	(void)state;
	const char *writable = world_path(&world, world.base, "writable");
	assert_int_equal(mkdir(writable, 0700), 0);
	world_name(&world, PINFOLD_PATH_WRITE, writable);
	assert_int_equal(rmdir(writable), 0);
	assert_int_equal(symlink(world.outside, writable), 0);
	struct trial trial = world_try(&world, world_does_nothing);
	assert_int_equal(trial.error, ELOOP);
	assert_true(ends_with(trial.what, "/writable"));
}

/* What a filter around it might let the kernel only pretend to have done. */
static void verifying_finds_out_whichever_step_did_nothing(void **state)
{
	static const struct { long number, argument; uint32_t step; const char *what; } rows[] = {
		{ SYS_prctl, PR_SET_NO_NEW_PRIVS, TRIAL_APPLY, "install the filter of system calls" },
		{ SYS_capset, -1, TRIAL_VERIFY, "look for capabilities that remained" },
		{ SYS_seccomp, -1, TRIAL_VERIFY, "look for a filter of system calls" },
		{ SYS_mount_setattr, AT_FDCWD, TRIAL_VERIFY, "look whether the root is read-only" },
		{ SYS_move_mount, -1, TRIAL_VERIFY, "look for the working tree's copy in its place" },
	};
	(void)state;
	assert_int_equal(world_try(&world, world_does_nothing).step, TRIAL_DONE);
	for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
		test_host_swallow(rows[i].number, rows[i].argument);
		struct trial trial = world_try(&world, world_does_nothing);
		test_host_swallow(-1, -1);
		assert_int_equal(trial.step, rows[i].step);
		assert_string_equal(trial.what, rows[i].what);
	}
}

static void verifying_fails_where_nothing_was_confined(void **state)
{
	(void)state;
	assert_int_equal(world_inside(&world, world_does_nothing), 0);
	assert_true(stage_enter(&world.plan, PINFOLD_STAGE_VERIFY) < 0);
	assert_non_null(*world.plan.failed);
	assert_true(stage_enter(&world.plan, 99) < 0);
}

static unsigned *forks;

static void note_fork(void)
{
	(*forks)++;
}

/* What a library does at a fork may wait for a lock of a thread that the copy lacks. */
static void a_trial_runs_nothing_that_a_library_wants_run_at_a_fork(void **state)
{
	(void)state;
	forks = mmap(NULL, sizeof(*forks), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(forks != MAP_FAILED);
	assert_int_equal(pthread_atfork(note_fork, NULL, note_fork), 0);
	assert_int_equal(world_try(&world, world_does_nothing).step, TRIAL_DONE);
	assert_int_equal(*forks, 0);
}

static void ignore_signal(int number)
{
	(void)number;
}

static long take_time(void *unused)
{
	struct timespec moment = { .tv_nsec = 30 * 1000000 };
	(void)unused;
	return nanosleep(&moment, NULL) < 0 ? -errno : 0;
}

static void signals_to_the_caller_neither_cut_a_trial_short_nor_reach_it(void **state)
{
	struct sigaction interrupting = { .sa_handler = ignore_signal }, before;
	struct itimerval often = { { 0, 2000 }, { 0, 2000 } }, never = { { 0, 0 }, { 0, 0 } };
	(void)state;
	sigaction(SIGALRM, &interrupting, &before);
	setitimer(ITIMER_REAL, &often, NULL);
	struct trial trial = world_try(&world, take_time);
	setitimer(ITIMER_REAL, &never, NULL);
	sigaction(SIGALRM, &before, NULL);
	assert_int_equal(trial.step, TRIAL_DONE);
	assert_int_equal(trial.error, 0);
}

int main(void)
{
#define FAULT_TEST(test) cmocka_unit_test_setup_teardown(test, world_set_up, world_tear_down)
	const struct CMUnitTest tests[] = {
		FAULT_TEST(too_few_descriptors_fail_by_name_where_there_can_be_no_more),
		FAULT_TEST(a_hidden_path_that_became_a_link_fails_by_name),
		FAULT_TEST(a_hidden_path_that_vanished_is_no_failure),
		FAULT_TEST(a_copy_that_was_replaced_is_not_shown),
		FAULT_TEST(verifying_finds_out_whichever_step_did_nothing),
		FAULT_TEST(verifying_fails_where_nothing_was_confined),
		FAULT_TEST(a_writable_path_that_was_replaced_is_not_shown),
		FAULT_TEST(a_trial_runs_nothing_that_a_library_wants_run_at_a_fork),
		FAULT_TEST(signals_to_the_caller_neither_cut_a_trial_short_nor_reach_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/face_threads.c - one handle, many threads: runs beside each other, and none waits for another's. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "face_open.h"
#include "face_place.h"

#include <pinfold/pinfold.h>

#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 8, RUNS = 6, PATIENCE_SECONDS = 60 };

/* The exit code; what went wrong is printed, for a thread cannot fail a test. */
static int run_to_end(struct pinfold *pinfold, const struct pinfold_command *command)
{
	struct pinfold_error err = { 0 };
	struct pinfold_run *run = NULL;
	struct pinfold_result result = { .size = sizeof(result) };
	uint32_t state;
	int code = -1;
	if (pinfold_run_start(pinfold, command, &run, &err) == 0 &&
	    pinfold_run_wait(run, -1, &state, &err) == 0 && pinfold_run_result(run, &result, &err) == 0)
		code = (int)result.exit_code;
	else
		print_error("%s: %s: %s\n", err.action, err.subject, err.recovery);
	pinfold_run_free(run);
	return code;
}

struct worker {
	struct pinfold *pinfold;
	pthread_t thread;
	int number, right;
	char tree[PATH_MAX];
};

static void *run_many(void *argument)
{
	struct worker *worker = argument;
	for (int i = 0; i < RUNS; i++) {
		char word[32];
		int code = (worker->number * RUNS + i) % 100 + 1;
		snprintf(word, sizeof(word), "%d", code);
		const char *const argv[] = {
			"/bin/sh", "-c", "echo $0 > mine && test $(cat mine) = $0 && exit $0", word, NULL,
		};
		const struct pinfold_command command = {
			.size = sizeof(command), .argv = argv, .directory = worker->tree,
			.streams = { -1, -1, -1 },
		};
		worker->right += run_to_end(worker->pinfold, &command) == code;
	}
	return NULL;
}

static void begin_workers(struct worker *workers, struct pinfold *pinfold, void *(*function)(void *))
{
	for (int i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){ .pinfold = pinfold, .number = i };
		snprintf(workers[i].tree, sizeof(workers[i].tree), "%.4000s%s", face_place_tree(),
			 i % 2 ? "" : "/src");
		assert_int_equal(pthread_create(&workers[i].thread, NULL, function, &workers[i]), 0);
	}
}

static int await_workers(struct worker *workers)
{
	int right = 0;
	for (int i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		right += workers[i].right;
	}
	return right;
}

static void many_threads_run_in_two_trees_and_none_sees_what_is_another_s(void **state)
{
	(void)state;
	struct pinfold *pinfold = face_open(NULL);
	struct worker workers[THREADS];
	begin_workers(workers, pinfold, run_many);
	assert_int_equal(await_workers(workers), THREADS * RUNS);
	pinfold_free(pinfold);
}

struct slow_copy {
	sem_t begun, go_on;
	bool told, waited_in_vain;
};

static int stay_in_copying(void *context, uint64_t files, uint64_t bytes)
{
	struct slow_copy *slow = context;
	struct timespec until;
	(void)files;
	(void)bytes;
	if (slow->told)
		return 0;
	slow->told = true;
	sem_post(&slow->begun);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE_SECONDS;
	slow->waited_in_vain = sem_timedwait(&slow->go_on, &until) < 0;
	return 0;
}

struct slow_run {
	struct pinfold *pinfold;
	struct slow_copy copy;
	char tree[PATH_MAX];
	int code;
};

static void *run_slowly(void *argument)
{
	struct slow_run *slow = argument;
	static const char *const argv[] = { "/bin/true", NULL };
	const struct pinfold_command command = {
		.size = sizeof(command), .argv = argv, .directory = slow->tree, .streams = { -1, -1, -1 },
		.copying = stay_in_copying, .context = &slow->copy,
	};
	slow->code = run_to_end(slow->pinfold, &command);
	return NULL;
}

static void a_long_first_copy_keeps_no_other_thread_waiting(void **state)
{
	(void)state;
	static const char *const argv[] = { "/bin/true", NULL };
	const struct pinfold_command command = {
		.size = sizeof(command), .argv = argv, .directory = face_place_tree(),
		.streams = { -1, -1, -1 },
	};
	struct slow_run slow = { .pinfold = face_open(NULL), .code = -1 };
	pthread_t thread;
	snprintf(slow.tree, sizeof(slow.tree), "%.4000s/slow", face_place_home());
	assert_int_equal(mkdir(slow.tree, 0755), 0);
	assert_int_equal(sem_init(&slow.copy.begun, 0, 0) | sem_init(&slow.copy.go_on, 0, 0), 0);
	assert_int_equal(pthread_create(&thread, NULL, run_slowly, &slow), 0);
	sem_wait(&slow.copy.begun);
	int code = run_to_end(slow.pinfold, &command);
	sem_post(&slow.copy.go_on);
	pthread_join(thread, NULL);
	assert_int_equal(code, 0);
	assert_int_equal(slow.code, 0);
	assert_false(slow.copy.waited_in_vain);
	sem_destroy(&slow.copy.begun);
	sem_destroy(&slow.copy.go_on);
	pinfold_free(slow.pinfold);
}

static struct pinfold_cage *open_cage(struct pinfold *pinfold, const char *setting)
{
	const char *const settings[] = { setting, NULL };
	const struct pinfold_cage_order order = {
		.size = sizeof(order), .settings = setting ? settings : NULL, .directory = face_place_tree(),
	};
	struct pinfold_cage *cage = NULL;
	struct pinfold_error err = { 0 };
	if (pinfold_cage_open(pinfold, &order, &cage, &err) < 0)
		print_error("%s: %s: %s\n", err.action, err.subject, err.recovery);
	return cage;
}

static int run_in_cage(struct pinfold_cage *cage, const char *script)
{
	const char *const argv[] = { "/bin/sh", "-c", script, NULL };
	const struct pinfold_command command = {
		.size = sizeof(command), .argv = argv, .streams = { -1, -1, -1 },
	};
	struct pinfold_error err = { 0 };
	struct pinfold_run *run = NULL;
	struct pinfold_result result = { .size = sizeof(result) };
	uint32_t state;
	int code = -1;
	if (pinfold_cage_start(cage, &command, &run, &err) == 0 &&
	    pinfold_run_wait(run, -1, &state, &err) == 0 && pinfold_run_result(run, &result, &err) == 0)
		code = (int)result.exit_code;
	else
		print_error("%s: %s: %s\n", err.action, err.subject, err.recovery);
	pinfold_run_free(run);
	return code;
}

static void a_cage_is_made_once_for_the_same_order_and_has_its_own_settings(void **state)
{
	(void)state;
	struct pinfold *pinfold = face_open(NULL);
	struct pinfold_cage *first = open_cage(pinfold, "environment.set=MINE=1");
	struct pinfold_cage *again = open_cage(pinfold, "environment.set=MINE=1");
	struct pinfold_cage *other = open_cage(pinfold, "environment.set=MINE=2");
	assert_ptr_equal(first, again);
	assert_ptr_not_equal(first, other);
	assert_int_equal(run_in_cage(first, "exit $MINE"), 1);
	assert_int_equal(run_in_cage(other, "exit $MINE"), 2);
	assert_int_equal(run_in_cage(again, "test -e one && exit 5$MINE"), 51);
	pinfold_cage_close(first);
	pinfold_cage_close(again);
	pinfold_cage_close(other);
	pinfold_free(pinfold);
}

static void a_cage_with_a_setting_that_is_wrong_is_refused_and_not_kept(void **state)
{
	(void)state;
	static const char *const settings[] = { "netwrok.mode=none", NULL };
	const struct pinfold_cage_order order = { .size = sizeof(order), .settings = settings };
	struct pinfold *pinfold = face_open(NULL);
	struct pinfold_cage *cage = NULL;
	for (int i = 0; i < 2; i++) {
		struct pinfold_error err = { 0 };
		assert_int_equal(pinfold_cage_open(pinfold, &order, &cage, &err), -1);
		assert_int_equal(err.code, PINFOLD_E_CONFIG);
		assert_null(cage);
	}
	pinfold_free(pinfold);
}

static void cages_past_the_most_that_are_kept_go_when_nobody_uses_them(void **state)
{
	(void)state;
	enum { CAGES = 20 };
	struct pinfold *pinfold = face_open(NULL);
	struct pinfold_cage *cages[CAGES];
	char setting[64];
	for (int i = 0; i < CAGES; i++) {
		snprintf(setting, sizeof(setting), "environment.set=MINE=%d", i);
		cages[i] = open_cage(pinfold, setting);
		assert_non_null(cages[i]);
	}
	for (int i = 0; i < CAGES; i++) {
		assert_int_equal(run_in_cage(cages[i], "exit $MINE"), i);
		pinfold_cage_close(cages[i]);
	}
	pinfold_free(pinfold);
}

static void *run_many_in_cages(void *argument)
{
	struct worker *worker = argument;
	for (int i = 0; i < RUNS; i++) {
		char setting[64];
		snprintf(setting, sizeof(setting), "environment.set=MINE=%d", (worker->number + i) % 12);
		struct pinfold_cage *cage = open_cage(worker->pinfold, setting);
		worker->right += cage && run_in_cage(cage, "exit $MINE") == (worker->number + i) % 12;
		pinfold_cage_close(cage);
	}
	return NULL;
}

static void many_threads_share_cages_and_each_run_has_the_settings_of_its_own(void **state)
{
	(void)state;
	struct pinfold *pinfold = face_open(NULL);
	struct worker workers[THREADS];
	begin_workers(workers, pinfold, run_many_in_cages);
	assert_int_equal(await_workers(workers), THREADS * RUNS);
	pinfold_free(pinfold);
}

static void what_is_made_after_a_cage_is_hidden_from_the_next_run_of_a_cage(void **state)
{
	(void)state;
	char secret[PATH_MAX], setting[PATH_MAX + 32], script[PATH_MAX + 32];
	struct pinfold *pinfold = face_open(NULL);
	snprintf(secret, sizeof(secret), "%.4000s/late-secret", face_place_home());
	snprintf(setting, sizeof(setting), "filesystem.hidden=%.4000s", secret);
	snprintf(script, sizeof(script), "cat %.4000s >/dev/null 2>&1", secret);
	struct pinfold_cage *cage = open_cage(pinfold, setting);
	assert_int_not_equal(run_in_cage(cage, script), 0);
	FILE *file = fopen(secret, "w");
	assert_non_null(file);
	fputs("made after the cage\n", file);
	fclose(file);
	snprintf(script, sizeof(script), "! grep -q made %.4000s", secret);
	assert_int_equal(run_in_cage(cage, script), 0);
	pinfold_cage_close(cage);
	pinfold_free(pinfold);
}

static void a_command_is_ended_at_the_caller_s_own_limit_when_that_is_shorter(void **state)
{
	(void)state;
	static const char *const settings[] = { "limits.timeout=20s", NULL };
	static const char *const argv[] = { "/bin/sleep", "60", NULL };
	const struct pinfold_command command = {
		.size = sizeof(command), .argv = argv, .streams = { -1, -1, -1 }, .most_milliseconds = 200,
	};
	struct pinfold *pinfold = face_open(settings);
	assert_int_equal(run_to_end(pinfold, &command), PINFOLD_EXIT_TIMED_OUT);
	pinfold_free(pinfold);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_threads_run_in_two_trees_and_none_sees_what_is_another_s),
		cmocka_unit_test(a_long_first_copy_keeps_no_other_thread_waiting),
		cmocka_unit_test(a_cage_is_made_once_for_the_same_order_and_has_its_own_settings),
		cmocka_unit_test(a_cage_with_a_setting_that_is_wrong_is_refused_and_not_kept),
		cmocka_unit_test(cages_past_the_most_that_are_kept_go_when_nobody_uses_them),
		cmocka_unit_test(many_threads_share_cages_and_each_run_has_the_settings_of_its_own),
		cmocka_unit_test(what_is_made_after_a_cage_is_hidden_from_the_next_run_of_a_cage),
		cmocka_unit_test(a_command_is_ended_at_the_caller_s_own_limit_when_that_is_shorter),
	};
	return cmocka_run_group_tests(tests, face_place_make, face_place_remove);
}

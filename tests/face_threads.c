/* tests/face_threads.c - one handle, many threads: runs beside each other, and none waits for another's. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

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

static struct pinfold *open_library(const char *const *settings)
{
	struct pinfold_options options = { .size = sizeof(options), .settings = settings };
	struct pinfold_error err = { 0 };
	struct pinfold *pinfold = NULL;
	if (pinfold_new(&options, &pinfold, &err) < 0)
		print_error("%s: %s: %s\n", err.action, err.subject, err.recovery);
	assert_non_null(pinfold);
	return pinfold;
}

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
	struct pinfold *pinfold = open_library(NULL);
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
	struct slow_run slow = { .pinfold = open_library(NULL), .code = -1 };
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_threads_run_in_two_trees_and_none_sees_what_is_another_s),
		cmocka_unit_test(a_long_first_copy_keeps_no_other_thread_waiting),
	};
	return cmocka_run_group_tests(tests, face_place_make, face_place_remove);
}

/* bench/caller.c - what a run costs a program that holds much memory: caller GIBIBYTES [RUNS].
 *
 * Runs `true` through the library without and with that much touched memory of small pages, in
 * alternating blocks, and prints both medians in microseconds and their ratio.
 */
#include "config.h"

#include "median.h"

#include <pinfold/pinfold.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { BLOCKS = 4 };

static void give_up(const char *action, const char *subject)
{
	fprintf(stderr, "caller: cannot %s: %s\n", action, subject);
	exit(EXIT_FAILURE);
}

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static double run_once(struct pinfold *pinfold)
{
	static const char *const argv[] = { "/bin/true", NULL };
	struct pinfold_command command = { .size = sizeof(command), .argv = argv,
					   .streams = { -1, -1, -1 } };
	struct pinfold_error err = { 0 };
	struct pinfold_result result = { .size = sizeof(result) };
	struct pinfold_run *run;
	uint32_t state;
	double begin = now();
	if (pinfold_run_start(pinfold, &command, &run, &err) < 0 ||
	    pinfold_run_wait(run, -1, &state, &err) < 0 ||
	    pinfold_run_result(run, &result, &err) < 0 || result.exit_code != 0)
		give_up(err.action, err.subject);
	double taken = now() - begin;
	pinfold_run_free(run);
	return taken;
}

static void *hold(size_t bytes)
{
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		give_up("hold memory", "there is not enough");
	madvise(memory, bytes, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < bytes; i += 4096)
		memory[i] = 1;
	return memory;
}

int main(int argc, char **argv)
{
	size_t bytes = (size_t)(argc > 1 ? atoi(argv[1]) : 8) << 30;
	size_t runs = argc > 2 ? (size_t)atoi(argv[2]) : 25;
	struct pinfold_error err = { 0 };
	struct pinfold *pinfold;
	double *without = calloc(BLOCKS * runs, sizeof(double));
	double *with = calloc(BLOCKS * runs, sizeof(double));
	if (pinfold_new(NULL, &pinfold, &err) < 0)
		give_up(err.action, err.subject);
	if (runs == 0 || !without || !with)
		give_up("run", "no runs");
	run_once(pinfold);
	for (size_t block = 0; block < BLOCKS; block++) {
		for (size_t i = 0; i < runs; i++)
			without[block * runs + i] = run_once(pinfold);
		void *memory = hold(bytes);
		for (size_t i = 0; i < runs; i++)
			with[block * runs + i] = run_once(pinfold);
		munmap(memory, bytes);
	}
	double free_of_it = median(without, BLOCKS * runs), holding = median(with, BLOCKS * runs);
	printf("%.0f %.0f %.3f\n", free_of_it, holding, holding / free_of_it);
	pinfold_free(pinfold);
	free(without);
	free(with);
	return EXIT_SUCCESS;
}

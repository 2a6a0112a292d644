/* bench/alternate.c - runs several commands in turn, round after round, and prints their medians.
 *
 * alternate [-r ROUNDS] [-c AT_ONCE] [-k COMMANDS] [-b BEFORE] --- NAME COMMAND... --- NAME COMMAND... ...
 *
 * Times drift from minute to minute; ratios inside one round do not. For each command: its median in
 * microseconds, the ratio of that to the first command's, the median of the ratios in each round, and the
 * most memory that one of its processes had, in KiB.
 * With -c, a command's time is that of COMMANDS starts, AT_ONCE of them at any moment. "{n}" in an
 * argument becomes a number that never comes twice. BEFORE is given to a shell before each command, and not
 * measured.
 */
#include "config.h"

#include "median.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_VARIANTS = 32, MOST_ARGUMENTS = 64 };

struct variant {
	const char *name;
	char **argv;
	double *microseconds;
	long peak;
};

struct plan {
	unsigned rounds, at_once, commands, count;
	const char *before;
	struct variant variants[MOST_VARIANTS];
};

static unsigned counter;

static void give_up(const char *what)
{
	fprintf(stderr, "alternate: %s: %s\n", what, errno ? strerror(errno) : "failed");
	exit(EXIT_FAILURE);
}

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

/* The argument with "{n}" replaced. */
static char *numbered(const char *argument)
{
	char *made;
	const char *place = strstr(argument, "{n}");
	if (!place)
		return strdup(argument);
	if (asprintf(&made, "%.*s%u%s", (int)(place - argument), argument, counter, place + 3) < 0)
		give_up("memory");
	return made;
}

static pid_t start(const struct variant *variant)
{
	static posix_spawn_file_actions_t quiet;
	static int prepared;
	char *argv[MOST_ARGUMENTS + 1];
	size_t count = 0;
	pid_t pid;
	if (!prepared++) {
		posix_spawn_file_actions_init(&quiet);
		posix_spawn_file_actions_addopen(&quiet, 0, "/dev/null", O_RDONLY, 0);
		posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
	}
	counter++;
	for (; variant->argv[count] && count < MOST_ARGUMENTS; count++)
		argv[count] = numbered(variant->argv[count]);
	argv[count] = NULL;
	errno = posix_spawnp(&pid, argv[0], &quiet, NULL, argv, environ);
	if (errno)
		give_up(argv[0]);
	while (count > 0)
		free(argv[--count]);
	return pid;
}

static void reap(struct variant *variant)
{
	int status;
	struct rusage usage;
	errno = 0;
	if (wait4(-1, &status, 0, &usage) < 0 || status != 0) {
		fprintf(stderr, "alternate: %s ended with status %#x\n", variant->name, (unsigned)status);
		give_up(variant->name);
	}
	if (usage.ru_maxrss > variant->peak)
		variant->peak = usage.ru_maxrss;
}

static double measure(const struct plan *plan, struct variant *variant)
{
	unsigned started = 0, ended = 0;
	if (plan->before && system(plan->before) != 0)
		give_up(plan->before);
	double begin = now();
	while (ended < plan->commands) {
		while (started < plan->commands && started - ended < plan->at_once) {
			start(variant);
			started++;
		}
		reap(variant);
		ended++;
	}
	return now() - begin;
}

static void report(const struct plan *plan)
{
	const struct variant *first = &plan->variants[0];
	double *ratios = malloc(plan->rounds * sizeof(*ratios));
	if (!ratios)
		give_up("memory");
	for (unsigned i = 0; i < plan->count; i++) {
		const struct variant *variant = &plan->variants[i];
		for (unsigned round = 0; round < plan->rounds; round++)
			ratios[round] = variant->microseconds[round] / first->microseconds[round];
		double time = median(variant->microseconds, plan->rounds);
		printf("%s %.0f %.3f %.3f %ld\n", variant->name, time,
		       time / median(first->microseconds, plan->rounds),
		       median(ratios, plan->rounds), variant->peak);
	}
	free(ratios);
}

/* Splits what follows the options at each "---". */
static void read_variants(struct plan *plan, char **argv)
{
	for (; *argv && plan->count < MOST_VARIANTS; argv++) {
		if (strcmp(*argv, "---") == 0) {
			*argv = NULL;
			struct variant *variant = &plan->variants[plan->count++];
			variant->name = argv[1];
			variant->argv = argv + 2;
			variant->microseconds = calloc(plan->rounds, sizeof(double));
			if (!argv[1] || !argv[2] || !variant->microseconds)
				give_up("a name and a command follow each ---");
		}
	}
}

static unsigned value_of(const char *text)
{
	unsigned long value = text ? strtoul(text, NULL, 10) : 0;
	if (value == 0 || value > 100000)
		give_up("a number is missing");
	return (unsigned)value;
}

int main(int argc, char **argv)
{
	struct plan plan = { .rounds = 30, .at_once = 1, .commands = 1 };
	int at = 1;
	for (; at + 1 < argc && argv[at][0] == '-' && argv[at][1] != '-'; at += 2) {
		if (argv[at][1] == 'b') {
			plan.before = argv[at + 1];
			continue;
		}
		unsigned *field = argv[at][1] == 'r' ? &plan.rounds :
				  argv[at][1] == 'c' ? &plan.at_once : &plan.commands;
		*field = value_of(argv[at + 1]);
	}
	read_variants(&plan, argv + at);
	if (plan.count == 0)
		give_up("nothing to run");
	for (unsigned i = 0; i < plan.count; i++)
		measure(&plan, &plan.variants[i]);	/* so that nothing is measured cold */
	for (unsigned round = 0; round < plan.rounds; round++)
		for (unsigned i = 0; i < plan.count; i++)
			plan.variants[i].microseconds[round] = measure(&plan, &plan.variants[i]);
	report(&plan);
	return EXIT_SUCCESS;
}

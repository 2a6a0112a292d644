/* bench/serve.c - from a request to the command's start, beside a whole run of another program.
 *
 * serve ROUNDS PINFOLD COMMAND...: `PINFOLD serve` is asked for `true` and the COMMAND is run, in turn. Prints
 * both medians in microseconds, that of the command first, and the median of the ratios in each round.
 */
#include "config.h"

#include "median.h"

#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void give_up(const char *what)
{
	fprintf(stderr, "serve: cannot %s\n", what);
	exit(EXIT_FAILURE);
}

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static double run(char **argv)
{
	double begin = now();
	pid_t pid;
	int status;
	if (posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ) != 0 || waitpid(pid, &status, 0) != pid ||
	    status != 0)
		give_up("run the command to compare with");
	return now() - begin;
}

static void begin_server(const char *program, FILE **ret_to, FILE **ret_from)
{
	int to[2], from[2];
	pid_t pid;
	posix_spawn_file_actions_t actions;
	char *argv[] = { (char *)(uintptr_t)program, (char[]){ "serve" }, NULL };
	if (pipe(to) < 0 || pipe(from) < 0)
		give_up("make pipes");
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, to[0], 0);
	posix_spawn_file_actions_adddup2(&actions, from[1], 1);
	int more[] = { to[0], to[1], from[0], from[1] };
	for (int i = 0; i < 4; i++)
		posix_spawn_file_actions_addclose(&actions, more[i]);
	if (posix_spawn(&pid, program, &actions, NULL, argv, environ) != 0)
		give_up("begin the server");
	posix_spawn_file_actions_destroy(&actions);
	close(to[0]);
	close(from[1]);
	*ret_to = fdopen(to[1], "w");
	*ret_from = fdopen(from[0], "r");
}

static void hear(FILE *from, const char *event)
{
	static char *line;
	static size_t room;
	do
		if (getline(&line, &room, from) < 0)
			give_up("hear from the server");
	while (!strstr(line, event));
}

static double ask(FILE *to, FILE *from)
{
	double begin = now();
	fputs("{\"id\": 1, \"do\": \"run\", \"argv\": [\"/bin/true\"]}\n", to);
	fflush(to);
	hear(from, "\"started\"");
	double taken = now() - begin;
	hear(from, "\"exit_code\":0");
	return taken;
}

int main(int argc, char **argv)
{
	long rounds = argc > 3 ? strtol(argv[1], NULL, 10) : 0;
	FILE *to, *from;
	if (rounds < 1 || rounds > 10000)
		give_up("begin: give ROUNDS, PINFOLD and a COMMAND");
	double *theirs = calloc((size_t)rounds, sizeof(*theirs)), *ours = calloc((size_t)rounds, sizeof(*ours));
	double *ratios = calloc((size_t)rounds, sizeof(*ratios));
	if (!theirs || !ours || !ratios)
		give_up("get memory");
	begin_server(argv[2], &to, &from);
	ask(to, from);
	for (long i = 0; i < rounds; i++) {
		theirs[i] = run(argv + 3);
		ours[i] = ask(to, from);
		ratios[i] = ours[i] / theirs[i];
	}
	printf("%.0f %.0f %.3f\n", median(theirs, (size_t)rounds), median(ours, (size_t)rounds),
	       median(ratios, (size_t)rounds));
	return 0;
}

/* escape/cases.c - `cases try NAME,… TOKEN [unconfined|second]`: tries escapes, and what must be allowed beside each,
 * and prints a line for both. `cases list`: every case with what is known of it, one a line. */
#include "config.h"

#include "case.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE 12	/* seconds for one attempt */

static const struct class *const classes[] = {
	&terminal_class, &inherited_class, &proc_class, &sockets_class, &processes_class, &endings_class,
	&keyrings_class, &ipc_class, &mounts_class, &masks_class, &writes_class, &links_class, &privileges_class,
	&programs_class, &kernel_class, &foreign_class, &families_class, &network_class, &overlay_class, &places_class, &environment_class,
	&afterwards_class, &starving_class,
};

static const struct row *find(const char *name)
{
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		for (size_t j = 0; j < classes[i]->count; j++)
			if (strcmp(classes[i]->rows[j].name, name) == 0)
				return &classes[i]->rows[j];
	return NULL;
}

static void list(void)
{
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		for (size_t j = 0; j < classes[i]->count; j++) {
			const struct row *row = &classes[i]->rows[j];
			printf("%s\t%s\t%s\t%u\t%s\t%s\t%s\t%s\t%s\t%s\n", row->name, classes[i]->name, row->promise,
			       row->how, row->twin->what, row->mechanism, row->source, row->unless ? row->unless : "-",
			       row->twin->promise ? row->twin->promise : "-",
			       row->twin->unless ? row->twin->unless : "-");
		}
}

static void print(const char *what, long result)
{
	if (result == 0)
		printf("%s reached\n", what);
	else if (result == UNAVAILABLE)
		printf("%s unavailable %s\n", what, lacked());
	else if (result <= -1000)
		printf("%s killed %s\n", what, strsignal((int)(-result - 1000)));
	else
		printf("%s refused %s\n", what, strerrorname_np((int)-result));
	fflush(stdout);
}

/* An attempt may be ended by the filter: it is made by a process of its own, which prints what came of it. */
static void attempt(const char *what, long (*function)(void))
{
	int status = 0;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		alarm(PATIENCE);
		print(what, function());
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		print(what, -errno);
	else if (WIFSIGNALED(status))
		print(what, -1000 - WTERMSIG(status));
}

static int try(char *names)
{
	for (char *name; (name = strsep(&names, ","));) {
		const struct row *row = find(name);
		if (!row) {
			fprintf(stderr, "no case has the name %s\n", name);
			return 2;
		}
		printf("case %s\n", name);
		attempt("twin", row->twin->attempt);
		attempt("attempt", row->attempt);
	}
	return 0;
}

/* What survivors of a run are known by: the name of the process, which everybody may read. */
int main(int argc, char **argv)
{
	signal(SIGPIPE, SIG_IGN);
	if (argc == 2 && strcmp(argv[1], "list") == 0) {
		list();
		return 0;
	}
	if (argc >= 4 && strcmp(argv[1], "try") == 0) {
		token = argv[3];
		unconfined = argc > 4 && strcmp(argv[4], "unconfined") == 0;
		second = argc > 4 && strcmp(argv[4], "second") == 0;
		prctl(PR_SET_NAME, token);
		return try(argv[2]);
	}
	/* As a program that another attempt executed: it writes where it may not. */
	if (argc == 4 && strcmp(argv[1], "make") == 0) {
		token = argv[3];
		return make(argv[2]) == 0 ? 0 : 1;
	}
	fputs("usage: cases list | try NAME TOKEN [unconfined|second] | make PATH TOKEN\n", stderr);
	return 2;
}

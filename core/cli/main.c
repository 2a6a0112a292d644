/* cli/main.c - the command: finds its verb, and lets it act. */
#include "config.h"

#include "entry.h"
#include "usage.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

static uint64_t now(void)
{
	struct timespec at;
	clock_gettime(CLOCK_MONOTONIC, &at);
	return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}

/* A closed standard stream would be taken by the next file that is opened. */
static int fill_standard_streams(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd == 0 ? O_RDONLY : O_WRONLY) != fd)
			return -1;
	return 0;
}

static int check_operands(const struct verb *verb, const struct request *request,
			  struct pinfold_error *err)
{
	const char *first = request->operands[0];
	if (first && !verb->operands)
		return pinfold_fail(err, PINFOLD_E_USAGE, 0, "read the command line", first,
				    "leave this word out: the verb takes options only");
	if (!first && verb->operands && !usage_may_lack_operands(verb))
		return pinfold_fail(err, PINFOLD_E_USAGE, 0, "read the command line",
				    "there is no command",
				    "give the command and its arguments after --");
	return 0;
}

static void log_line(void *quiet, uint32_t level, const char *text)
{
	if (level >= 2 && !*(const bool *)quiet)
		say(text);
}

/* Until its command starts a run does nothing that could not be done twice, but for what it tells and asks. */
static bool may_begin_anew(const struct verb *verb, const struct request *request)
{
	return verb->runs && !request->events && !request->where;
}

/* Of what a run takes, and within what the C library has asked the kernel for already. */
enum { FIRST_MEMORY = 120 << 10 };

/* The kernel gives the pages of it at once, where it can: one by one, as each is touched, they cost several times
 * as much. */
static void take_memory(void)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	void *memory = malloc(FIRST_MEMORY);
	/* cppcheck-suppress uninitdata */	/* nobody reads it */
	uintptr_t begin = ((uintptr_t)memory + page - 1) / page * page;
	uintptr_t end = ((uintptr_t)memory + FIRST_MEMORY) / page * page;
	if (memory)
		madvise((void *)begin, end - begin, MADV_POPULATE_WRITE);
	free(memory);
}

static int act(const struct verb *verb, struct request *request, uint64_t started,
	       struct pinfold_error *err)
{
	if (request->help && !(verb->helps && request->operands[0])) {
		usage_show_verb(verb);
		return 0;
	}
	if (check_operands(verb, request, err) < 0)
		return -1;
	if (verb->alone)
		return verb->act(NULL, request, err);
	struct pinfold_options options = {
		.size = sizeof(options),
		.config_file = request->config,
		.settings = (const char *const *)request->settings.items,
		.log = log_line,
		.log_context = &request->quiet,
		.started = started,
		.built_in = built_in_modules(),
	};
	if (!may_begin_anew(verb, request) && entry_hand_over(err) < 0)
		return -1;
	if (verb->runs)
		take_memory();
	int descriptors[COMMAND_DESCRIPTORS];
	struct pinfold_command expected;
	if (verb->runs && command_of(request, &expected, descriptors, COMMAND_DESCRIPTORS, NULL) == 0)
		options.expected = &expected;
	/* Never freed: the process ends with the verb, and whoever waits for it need not wait for the
	 * namespaces of a run to be torn down. */
	static struct pinfold *pinfold;
	if (pinfold_new(&options, &pinfold, err) < 0)
		return -1;
	return verb->act(pinfold, request, err);
}

static int finish_output(const char *subject, struct pinfold_error *err)
{
	errno = 0;
	if (!ferror(stdout) && fflush(stdout) == 0)
		return 0;
	return pinfold_fail(err, PINFOLD_E_SYSTEM, errno, "write to standard output", subject,
			    "check what standard output leads to");
}

/* The exit code of a verb that acts says what was done, also where the report of it is lost. */
static int finish(const struct verb *verb, const struct request *request, int code, struct pinfold_error *err)
{
	if (!verb->acts)
		return finish_output("the document is not complete", err) < 0 ? -1 : code;
	if (finish_output("what was asked for is done, as the exit status says; only the report of it is not complete",
			  err) < 0)
		complain(err, request->json);
	return code;
}

static int read_words(const struct verb *verb, char **argv, struct request *request,
		      struct pinfold_error *err)
{
	return usage_may_lack_operands(verb) ? options_read_mixed(verb->options, argv, request, err)
				    : options_read(verb->options, argv, request, err);
}

static int verb_main(const struct verb *verb, char **argv, uint64_t started)
{
	struct pinfold_error err = { 0 };
	struct request request = { 0 };
	int code = read_words(verb, argv, &request, &err);
	if (code == 0)
		code = act(verb, &request, started, &err);
	if (code >= 0)
		code = finish(verb, &request, code, &err);
	if (code < 0) {
		options_name(&request, &err);
		complain(&err, request.json);
		code = pinfold_exit_code(&err);
	}
	request_release(&request);
	return code;
}

/* What is asked of the command itself, without a verb. */
static bool is_general(const char *word)
{
	if (strcmp(word, "--version") == 0)
		printf("pinfold %s\n", pinfold_version());
	else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		usage_show_verbs();
	else if (strcmp(word, "--list") == 0)
		usage_list();
	else
		return false;
	return true;
}

static int refuse(const struct pinfold_error *err)
{
	complain(err, false);
	return pinfold_exit_code(err);
}

/* The command ends soon: what it has freed it will want again, and asking the kernel for it each time, page by
 * page, costs more than keeping it. */
static void keep_memory(void)
{
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
	mallopt(M_TOP_PAD, 256 << 10);
}

int main(int argc, char **argv)
{
	uint64_t started = now();
	entry_begin(argv);
	keep_memory();
	struct pinfold_error err = { 0 };
	if (fill_standard_streams() < 0) {
		pinfold_fail(&err, PINFOLD_E_SYSTEM, errno, "open /dev/null",
			     "in place of a closed standard stream", "check /dev on this machine");
		return refuse(&err);
	}
	if (argc < 2) {
		pinfold_fail(&err, PINFOLD_E_USAGE, 0, "read the command line", "there is no verb",
			     "pinfold run -- COMMAND, or see pinfold --help");
		return refuse(&err);
	}
	if (is_general(argv[1]))
		return finish_output("the document is not complete", &err) == 0 ? 0 : refuse(&err);
	const struct verb *verb = usage_find_verb(argv[1], &err);
	return verb ? verb_main(verb, argv + 1, started) : refuse(&err);
}

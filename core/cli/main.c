/* cli/main.c - the command: a table of verbs. */
#include "config.h"

#include "verb.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct verb *const verbs[] = {
	&verb_run, &verb_serve, &verb_diff, &verb_apply, &verb_discard, &verb_sessions, &verb_jobs, &verb_gc, &verb_explain,
	&verb_probe, &verb_wrappers, &verb_config, &verb_plugins,
};
enum { VERB_COUNT = sizeof(verbs) / sizeof(verbs[0]) };

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

static const struct verb *find_verb(const char *name, struct pinfold_error *err)
{
	const char *names[VERB_COUNT + 1] = { NULL };
	for (size_t i = 0; i < VERB_COUNT; i++) {
		names[i] = verbs[i]->name;
		if (strcmp(names[i], name) == 0)
			return verbs[i];
	}
	char recovery[128] = "to run a command: pinfold run -- COMMAND; see pinfold --help";
	const char *nearest = pinfold_nearest(name, names);
	if (name[0] == '-')
		snprintf(recovery, sizeof(recovery),
			 "the verb comes first, then its options; see pinfold --help");
	else if (nearest)
		snprintf(recovery, sizeof(recovery), "did you mean %s? see pinfold --help", nearest);
	pinfold_fail(err, PINFOLD_E_USAGE, 0, "find the verb", name, recovery);
	return NULL;
}

static void show_verbs(void)
{
	puts("usage: pinfold VERB [options] [--] [operands]\n\nverbs:");
	for (size_t i = 0; i < VERB_COUNT; i++)
		printf("  %-10s %s\n", verbs[i]->name, verbs[i]->summary);
	puts("\npinfold VERB --help shows the options of a verb; pinfold --version the version.\n"
	     "The manual pages pinfold(1), pinfold-VERB(1) and pinfold.conf(5) say the rest.");
}

static bool may_be_missing(const struct verb *verb)
{
	return verb->operands && verb->operands[0] == '[';
}

static void show_verb(const struct verb *verb)
{
	const char *between = !verb->operands ? "" : may_be_missing(verb) ? " " : " -- ";
	printf("usage: pinfold %s [options]%s%s\n%s\n\n", verb->name, between,
	       verb->operands ? verb->operands : "", verb->summary);
	options_show(verb->options);
}

static int check_operands(const struct verb *verb, const struct request *request,
			  struct pinfold_error *err)
{
	const char *first = request->operands[0];
	if (first && !verb->operands)
		return pinfold_fail(err, PINFOLD_E_USAGE, 0, "read the command line", first,
				    "leave this word out: the verb takes options only");
	if (!first && verb->operands && !may_be_missing(verb))
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

static int act(const struct verb *verb, struct request *request, uint64_t started,
	       struct pinfold_error *err)
{
	if (request->help) {
		show_verb(verb);
		return 0;
	}
	if (check_operands(verb, request, err) < 0)
		return -1;
	struct pinfold_options options = {
		.size = sizeof(options),
		.config_file = request->config,
		.settings = (const char *const *)request->settings.items,
		.log = log_line,
		.log_context = &request->quiet,
		.started = started,
		.built_in = built_in_modules(),
	};
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
	return may_be_missing(verb) ? options_read_mixed(verb->options, argv, request, err)
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
		show_verbs();
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
	const struct verb *verb = find_verb(argv[1], &err);
	return verb ? verb_main(verb, argv + 1, started) : refuse(&err);
}

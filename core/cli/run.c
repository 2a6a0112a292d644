/* cli/run.c - the verb run: the main job. */
#include "config.h"

#include "follow.h"
#include "signals.h"
#include "verb.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is written beside the run, for programs: each -1 where it was not asked for. */
struct records {
	int receipt, status;
	bool shown;	/* the receipt on standard error as well */
};

/* "fd:N", or -1. */
static int numbered(const char *name)
{
	char *end;
	if (strncmp(name, "fd:", 3) != 0)
		return -1;
	long number = strtol(name + 3, &end, 10);
	return end == name + 3 || *end || number < 0 || number > 1 << 20 ? -1 : (int)number;
}

static int open_record(const char *name, int *ret_fd, struct pinfold_error *err)
{
	int number = numbered(name);
	int fd = number >= 0 ? fcntl(number, F_DUPFD_CLOEXEC, 3) :
			       open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
	if (fd < 0)
		return pinfold_fail(err, PINFOLD_E_SYSTEM, errno, "open the record", name,
				    "name a file in a directory that you can write, or fd:N");
	*ret_fd = fd;
	return 0;
}

static int open_records(const struct request *request, struct records *records,
			struct pinfold_error *err)
{
	char status[32];
	if (request->receipt && open_record(request->receipt, &records->receipt, err) < 0)
		return -1;
	if (!request->status)
		return 0;
	snprintf(status, sizeof(status), "fd:%s", request->status);
	if (numbered(status) < 0)
		return pinfold_fail(err, PINFOLD_E_USAGE, 0, "read the option --status-fd",
				    request->status, "give the number of an open descriptor");
	return open_record(status, &records->status, err);
}

static void close_records(struct records *records)
{
	if (records->receipt >= 0)
		close(records->receipt);
	if (records->status >= 0)
		close(records->status);
}

/* Whoever reads records sees a short one where the disk is full: the command's end counts more. */
static void put(int fd, const char *text)
{
	size_t left = text && fd >= 0 ? strlen(text) : 0;
	while (left > 0) {
		ssize_t written = write(fd, text, left);
		if (written < 0 && errno != EINTR)
			return;
		if (written > 0) {
			text += written;
			left -= (size_t)written;
		}
	}
}

static void record_refusal(const struct records *records, const struct pinfold_error *err)
{
	char *receipt = pinfold_refusal_receipt(err), line[128];
	put(records->receipt, receipt);
	free(receipt);
	snprintf(line, sizeof(line), "{\"event\":\"refused\",\"code\":\"%s\",\"exit_code\":%d}\n",
		 pinfold_code_name(err->code), pinfold_exit_code(err));
	put(records->status, line);
}

static void record_result(const struct records *records, const struct pinfold_result *result)
{
	static const char *const endings[] = { "ended", "signalled", "timed_out", "unknown" };
	char line[256];
	snprintf(line, sizeof(line),
		 "{\"event\":\"ended\",\"ending\":\"%s\",\"value\":%d,\"exit_code\":%u,"
		 "\"survivors\":%u,\"left\":%u}\n",
		 endings[result->ending < 3 ? result->ending : 3], result->value,
		 result->exit_code, result->survivors, result->left);
	put(records->status, line);
}

static int write_receipt(const struct records *records, struct pinfold_run *run,
			 struct pinfold_error *err)
{
	char *receipt;
	if (records->receipt < 0 && !records->shown)
		return 0;
	if (pinfold_run_receipt(run, &receipt, err) < 0)
		return -1;
	put(records->receipt, receipt);
	if (records->shown)
		put(STDERR_FILENO, receipt);
	free(receipt);
	return 0;
}

/* The placement `host` where the configuration says `ask`: a person is asked, on the terminal. */
static uint32_t approve(const struct pinfold *pinfold, const struct request *request,
			const struct terminal *terminal)
{
	if (pinfold_host_gate(pinfold) != PINFOLD_GATE_ASK)
		return 0;
	char *question = NULL, *longer;
	for (char **word = request->operands; *word; word++) {
		char *quoted = pinfold_quote(*word);
		if (!quoted || asprintf(&longer, "%s '%s'", question ? question : "", quoted) < 0)
			longer = NULL;
		free(quoted);
		free(question);
		if (!(question = longer))
			return 0;
	}
	bool asked = asprintf(&longer, "pinfold: run on the host, without confinement:%s ? [y/N] ",
			      question) >= 0;
	bool approved = asked && terminal_ask(terminal, longer);
	free(question);
	if (asked)
		free(longer);
	return approved;
}

/* What is no longer held is always said; what is held, to a person. */
static void introduce(const struct pinfold_run *run, const struct request *request)
{
	const char *passed;
	if (request->quiet)
		return;
	for (size_t i = 0; (passed = pinfold_run_passed_over(run, i)); i++)
		say(passed);
	if (isatty(STDERR_FILENO))
		say(pinfold_run_statement(run));
}

static void tell_survivors(const struct pinfold_result *result, const struct request *request)
{
	char line[96];
	if (result->left == 0 || request->quiet)
		return;
	snprintf(line, sizeof(line), "%u processes of this run could not be ended", result->left);
	say(line);
}

static int finish(struct pinfold_run *run, const struct request *request,
		  const struct records *records, struct terminal *terminal,
		  struct pinfold_error *err)
{
	struct pinfold_result result = { .size = sizeof(result) };
	introduce(run, request);
	put(records->status, "{\"event\":\"started\"}\n");
	int followed = follow(run, terminal, err);
	terminal_restore(terminal);
	if (followed < 0 || pinfold_run_result(run, &result, err) < 0)
		return -1;
	tell_survivors(&result, request);
	record_result(records, &result);
	if (write_receipt(records, run, err) < 0)
		return -1;
	return (int)result.exit_code;
}

static int start_and_finish(struct pinfold *pinfold, const struct request *request,
			    const struct records *records, struct pinfold_error *err)
{
	int descriptors[COMMAND_DESCRIPTORS];
	struct pinfold_command command;
	struct terminal terminal;
	struct pinfold_run *run = NULL;
	if (command_of(request, &command, descriptors, COMMAND_DESCRIPTORS, err) < 0 ||
	    signals_prepare(err) < 0)
		return -1;
	terminal_remember(&terminal);
	if (command.where == PINFOLD_WHERE_HOST)
		command.approved = approve(pinfold, request, &terminal);
	command.launching = signals_keep;
	int code = pinfold_run_start(pinfold, &command, &run, err);
	if (code == 0)
		code = finish(run, request, records, &terminal, err);
	pinfold_run_free(run);
	terminal_restore(&terminal);
	return code;
}

static int run_command(struct pinfold *pinfold, struct request *request, struct pinfold_error *err)
{
	struct records records = { -1, -1, request->json };
	int code = open_records(request, &records, err);
	if (code == 0)
		code = start_and_finish(pinfold, request, &records, err);
	if (code < 0)
		record_refusal(&records, err);
	close_records(&records);
	return code;
}

static const struct option_row own_options[] = {
	{ "-q", NULL, OPTION_FLAG, OPTION_FIELD(quiet), "say nothing but errors" },
	{ "--receipt", "FILE", OPTION_TEXT, OPTION_FIELD(receipt),
	  "write the record of this run there, as JSON; fd:N: to an open descriptor" },
	{ "--status-fd", "N", OPTION_TEXT, OPTION_FIELD(status),
	  "write a line of JSON to this descriptor when the command starts and ends" },
	OPTION_END,
};
static const struct option_row *const options[] = {
	options_command, own_options, options_configuration, NULL,
};

const struct verb verb_run = {
	.name = "run",
	.operands = "COMMAND [ARGUMENT]...",
	.summary = "run a command, confined, on a copy of the working tree",
	.options = options,
	.act = run_command,
};

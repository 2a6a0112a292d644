/* cli/run.c - the verb run: the main job. */
#include "config.h"

#include "entry.h"
#include "follow.h"
#include "progress.h"
#include "records.h"
#include "signals.h"
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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
	bool asked = asprintf(&longer, "pinfold: run on the host, without confinement:%s? [y/N] ",
			      question) >= 0;
	bool approved = asked && terminal_ask(terminal, longer);
	free(question);
	if (asked)
		free(longer);
	return approved;
}

/* What the exit status alone does not tell. */
static void tell_ending(const struct pinfold_result *result, const struct request *request)
{
	static const char *const limits[] = {
		[PINFOLD_LIMIT_TIMEOUT] = "the time limit ended the command ([limits] timeout, --timeout)",
		[PINFOLD_LIMIT_CPU_TIME] = "the ceiling of processor time ended the command ([limits] cpu-time)",
		[PINFOLD_LIMIT_FILE_SIZE] = "the ceiling of a file's size ended the command ([limits] file-size)",
		[PINFOLD_LIMIT_MEMORY] = "memory was at its ceiling for the whole run, and processes of it were ended ([limits] memory)",
		[PINFOLD_LIMIT_TASKS] = "the run had as many processes and threads as its ceiling allows, and could make no more ([limits] tasks)",
	};
	char line[96];
	if (request->quiet || request->json)
		return;
	if (result->limit < sizeof(limits) / sizeof(limits[0]) && limits[result->limit])
		say(limits[result->limit]);
	if (result->left == 0)
		return;
	snprintf(line, sizeof(line), "%u processes of this run could not be ended", result->left);
	say(line);
}

static int finish(struct pinfold_run *run, const struct request *request,
		  struct records *records, struct terminal *terminal,
		  struct pinfold_error *err)
{
	struct pinfold_result result = { .size = sizeof(result) };
	records_begin(records);
	struct relay relay;
	relay_begin(&relay, terminal, pinfold_run_terminal(run));
	int followed = follow(run, terminal, &relay, err);
	relay_end(&relay);
	terminal_restore(terminal);
	if (followed < 0 || pinfold_run_result(run, &result, err) < 0)
		return -1;
	tell_ending(&result, request);
	records_end(records, &result);
	if (records_receipt(records, run, err) < 0)
		return -1;
	return (int)result.exit_code;
}

struct start {
	const struct request *request;
	const struct records *records;
	bool told_to_wait;
	struct progress progress;
};

/* A person is told once why nothing happens. */
static int wait_on(void *context)
{
	struct start *start = context;
	const struct request *request = start->request;
	char line[128];
	if (!start->told_to_wait && !request->quiet && isatty(STDERR_FILENO)) {
		snprintf(line, sizeof(line), "waiting: another command works in the session %s",
			 request->session);
		say(line);
	}
	start->told_to_wait = true;
	return 0;
}

static int copy_on(void *context, uint64_t files, uint64_t bytes)
{
	struct start *start = context;
	return progress_copy(&start->progress, files, bytes);
}

static int try_on(void *context, const char *wrapper, uint32_t waits)
{
	struct start *start = context;
	return progress_try(&start->progress, wrapper, waits);
}

/* Before the command says anything. A start that failed may have been introduced as another than the one
 * that follows it. */
static void tell_what_is_held(void *context, struct pinfold_run *run)
{
	const struct start *start = context;
	say_passing("");
	introduce(run, start->request->quiet);
}

static void launch(void *context)
{
	(void)context;
	signals_keep(NULL);
}

static void tell_event(void *context, const char *line)
{
	const struct start *start = context;
	records_event(start->records, line);
}

static int start_and_finish(struct pinfold *pinfold, const struct request *request,
			    struct records *records, struct progress *ret_ended,
			    struct pinfold_error *err)
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
	struct start start = { .request = request, .records = records };
	start.progress.shows = !request->quiet && isatty(STDERR_FILENO);
	command.introducing = tell_what_is_held;
	command.launching = launch;
	command.waiting = wait_on;
	command.copying = copy_on;
	command.trying = try_on;
	command.event = request->events ? tell_event : NULL;
	command.context = &start;
	int code = pinfold_run_start(pinfold, &command, &run, err);
	entry_close();
	say_passing("");
	*ret_ended = start.progress;
	if (code == 0)
		code = finish(run, request, records, &terminal, err);
	pinfold_run_free(run);
	terminal_restore(&terminal);
	return code;
}

static void close_records(void *records)
{
	records_close(records);
}

static int run_command(struct pinfold *pinfold, struct request *request, struct pinfold_error *err)
{
	struct records records;
	struct progress ended = { 0 };
	int code = records_open(&records, request, err);
	entry_undo_by(close_records, &records);
	if (code == 0)
		code = start_and_finish(pinfold, request, &records, &ended, err);
	if (code < 0)
		records_refuse(&records, err);
	records_close(&records);
	progress_raise(&ended);
	return code;
}

static const struct option_row own_options[] = {
	{ "-q", NULL, OPTION_FLAG, OPTION_FIELD(quiet), "say nothing but errors" },
	{ "--receipt", "FILE", OPTION_TEXT, OPTION_FIELD(receipt),
	  "write the record of this run there, as JSON; fd:N: to an open descriptor" },
	{ "--events", "FILE", OPTION_TEXT, OPTION_FIELD(events),
	  "add a line of JSON there for all that happens in the run; fd:N: to an open descriptor" },
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
	.runs = true,
	.act = run_command,
};

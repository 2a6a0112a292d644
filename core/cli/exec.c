/* cli/exec.c - the verb exec: this process becomes the command. */
#include "config.h"

#include "verb.h"

/* What is written when a command has ended, by whoever is there then. */
static int refuse_records(const struct request *request, struct pinfold_error *err)
{
	const char *option = request->receipt ? "--receipt" : request->status ? "--status-fd" :
			     request->events ? "--events" : NULL;
	if (!option)
		return 0;
	return pinfold_fail(err, PINFOLD_E_USAGE, 0, "become the command, and write afterwards what became of it", option,
			    "leave it out, or start the command by `pinfold run`");
}

static void tell_what_is_held(void *context, struct pinfold_run *run)
{
	const struct request *request = context;
	introduce(run, request->quiet);
}

static int become(struct pinfold *pinfold, struct request *request, struct pinfold_error *err)
{
	int descriptors[COMMAND_DESCRIPTORS];
	struct pinfold_command command;
	struct pinfold_run *run;
	if (refuse_records(request, err) < 0 ||
	    command_of(request, &command, descriptors, COMMAND_DESCRIPTORS, err) < 0)
		return -1;
	command.introducing = tell_what_is_held;
	command.context = request;
	if (pinfold_exec_prepare(pinfold, &command, &run, err) < 0)
		return -1;
	pinfold_exec(run, NULL, err);
	return -1;
}

static const struct option_row own_options[] = {
	{ "-q", NULL, OPTION_FLAG, OPTION_FIELD(quiet), "say nothing but errors" },
	{ "--receipt", "FILE", OPTION_TEXT, OPTION_FIELD(receipt), "refused: nobody is left to write it" },
	{ "--events", "FILE", OPTION_TEXT, OPTION_FIELD(events), "refused likewise" },
	{ "--status-fd", "N", OPTION_TEXT, OPTION_FIELD(status), "refused likewise" },
	OPTION_END,
};
static const struct option_row *const options[] = {
	options_command, own_options, options_configuration, NULL,
};

const struct verb verb_exec = {
	.name = "exec",
	.operands = "COMMAND [ARGUMENT]...",
	.summary = "become a command, confined, without anybody beside it",
	.options = options,
	.act = become,
};

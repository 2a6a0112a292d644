/* cli/wrappers.c - the verb wrappers: decisions about compiler wrappers. */
#include "config.h"

#include "progress.h"
#include "signals.h"
#include "verb.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const anything[] = { "sh", NULL };

static int try_on(void *context, const char *wrapper, uint32_t waits)
{
	return progress_try(context, wrapper, waits);
}

static int measure(struct pinfold *pinfold, struct request *request, struct pinfold_error *err)
{
	int descriptors[COMMAND_DESCRIPTORS];
	struct pinfold_command command;
	struct progress progress = { .shows = isatty(STDERR_FILENO) };
	char *document;
	request->operands = (char **)anything;
	if (command_of(request, &command, descriptors, COMMAND_DESCRIPTORS, err) < 0 ||
	    signals_prepare(err) < 0)
		return -1;
	command.trying = try_on;
	command.context = &progress;
	int result = pinfold_measure_wrappers(pinfold, &command, document_form(request), &document, err);
	say_passing("");
	progress_raise(&progress);
	if (result == 0)
		document_print(document);
	return result;
}

static int forget(struct pinfold *pinfold, const struct request *request, uint32_t flags,
		  struct pinfold_error *err)
{
	uint64_t count;
	if (pinfold_forget_wrappers(pinfold, request->directory, flags, &count, err) < 0)
		return -1;
	if (request->json)
		printf("{\"forgotten\": %llu}\n", (unsigned long long)count);
	else
		printf("forgot %llu decision%s\n", (unsigned long long)count, count == 1 ? "" : "s");
	return 0;
}

/* The whole of a file; NULL with errno. */
static char *read_all(const char *path)
{
	char *text = NULL;
	size_t room = 0;
	FILE *file = fopen(path, "re");
	ssize_t got = file ? getdelim(&text, &room, '\0', file) : -1;
	int why = errno;
	if (file)
		fclose(file);
	if (got >= 0)
		return text;
	free(text);
	errno = why;
	return NULL;
}

static int read_receipt(const struct request *request, struct pinfold_error *err)
{
	char *document, *text = read_all(request->receipt);
	uint64_t unreadable;
	if (!text)
		return pinfold_fail(err, PINFOLD_E_SYSTEM, errno, "read a receipt", request->receipt,
				    "name a file that `pinfold run --receipt FILE` wrote");
	int result = pinfold_describe_applications(text, document_form(request), &document, &unreadable, err);
	free(text);
	if (result < 0)
		return -1;
	document_print(document);
	return unreadable > 0;
}

static int act(struct pinfold *pinfold, struct request *request, struct pinfold_error *err)
{
	uint32_t flags = request->all ? PINFOLD_WRAPPERS_ALL : 0;
	char *document;
	if (request->measure + request->forget + (request->receipt != NULL) > 1)
		return pinfold_fail(err, PINFOLD_E_USAGE, 0, "read the command line",
				    "more than one of --measure, --forget and --receipt", "give one of them");
	if (request->measure)
		return measure(pinfold, request, err);
	if (request->forget)
		return forget(pinfold, request, flags, err);
	if (request->receipt)
		return read_receipt(request, err);
	if (pinfold_describe_wrappers(pinfold, request->directory, flags, document_form(request), &document,
				      err) < 0)
		return -1;
	document_print(document);
	return 0;
}

static const struct option_row own_options[] = {
	{ "--measure", NULL, OPTION_FLAG, OPTION_FIELD(measure), "try anew what a command would find" },
	{ "--forget", NULL, OPTION_FLAG, OPTION_FIELD(forget), "forget what is kept about this tree" },
	{ "--all", NULL, OPTION_FLAG, OPTION_FIELD(all), "of all trees" },
	{ "--receipt", "FILE", OPTION_TEXT, OPTION_FIELD(receipt),
	  "show what a receipt says of wrappers; 1: a record cannot be read" },
	OPTION_END,
};
static const struct option_row *const options[] = {
	own_options, options_command, options_configuration, NULL,
};

const struct verb verb_wrappers = {
	.name = "wrappers",
	.summary = "decisions about compiler wrappers: show, measure, forget",
	.options = options,
	.act = act,
};

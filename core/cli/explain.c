/* cli/explain.c - the verb explain: what a run would do. */
#include "config.h"

#include "verb.h"

static int explain(struct pinfold *pinfold, struct request *request, struct pinfold_error *err)
{
	int descriptors[COMMAND_DESCRIPTORS];
	struct pinfold_command command;
	char *document;
	if (command_of(request, &command, descriptors, COMMAND_DESCRIPTORS, err) < 0 ||
	    pinfold_describe_run(pinfold, &command, document_form(request), &document, err) < 0)
		return -1;
	document_print(document);
	return 0;
}

static const struct option_row *const options[] = { options_command, options_configuration, NULL };

const struct verb verb_explain = {
	.name = "explain",
	.operands = "COMMAND [ARGUMENT]...",
	.summary = "say what a run of this command would do, without running it",
	.options = options,
	.act = explain,
};

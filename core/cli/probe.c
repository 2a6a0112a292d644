/* cli/probe.c - the verb probe: arms, promises, refusals, and what would lift them. */
#include "config.h"

#include "verb.h"

enum { NOT_HELD = 1 };

static int probe(struct pinfold *pinfold, struct request *request, struct pinfold_error *err)
{
	char *document;
	int held = 0;
	if (pinfold_describe_arms(pinfold, document_form(request), request->require, &document,
				  &held, err) < 0)
		return -1;
	document_print(document);
	return request->require && !held ? NOT_HELD : 0;
}

static const struct option_row own_options[] = {
	{ "--require", "AXES", OPTION_TEXT, OPTION_FIELD(require),
	  "exit with 0 only where a preferred arm keeps all of these, else with 1" },
	OPTION_END,
};
static const struct option_row *const options[] = { own_options, options_configuration, NULL };

const struct verb verb_probe = {
	.name = "probe",
	.summary = "say which arms this machine has, and what each promises",
	.options = options,
	.act = probe,
};

/* cli/config.c - the verb config: effective values with their origin. */
#include "config.h"

#include "verb.h"

static int show_config(struct pinfold *pinfold, struct request *request, struct pinfold_error *err)
{
	char *document;
	if (pinfold_describe_config(pinfold, document_form(request), &document, err) < 0)
		return -1;
	document_print(document);
	return 0;
}

static const struct option_row *const options[] = { options_configuration, NULL };

const struct verb verb_config = {
	.name = "config",
	.summary = "show the effective configuration, each value with its file and line",
	.options = options,
	.act = show_config,
};

/* cli/plugins.c - the verb plugins: modules with version and refusals. */
#include "config.h"

#include "verb.h"

static int show_plugins(struct pinfold *pinfold, struct request *request, struct pinfold_error *err)
{
	char *document;
	if (pinfold_describe_plugins(pinfold, document_form(request), &document, err) < 0)
		return -1;
	document_print(document);
	return 0;
}

static const struct option_row *const options[] = { options_configuration, NULL };

const struct verb verb_plugins = {
	.name = "plugins",
	.summary = "show the modules with their parts, and why one was refused",
	.options = options,
	.act = show_plugins,
};

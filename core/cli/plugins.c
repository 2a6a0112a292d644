/* cli/plugins.c - the verb plugins: modules with version and refusals. */
#include "config.h"

#include "verb.h"

static int show_plugins(struct pinfold *pinfold, struct request *request, struct pinfold_error *err)
{
	const char *name = request->operands[0];
	char *document;
	if (name && request->operands[1])
		return pinfold_fail(err, PINFOLD_E_USAGE, 0, "read the command line", request->operands[1],
				    "give one name");
	if ((name ? pinfold_describe_plugin(pinfold, name, document_form(request), &document, err) :
		    pinfold_describe_plugins(pinfold, document_form(request), &document, err)) < 0)
		return -1;
	document_print(document);
	return 0;
}

static const struct option_row *const options[] = { options_configuration, NULL };

const struct verb verb_plugins = {
	.name = "plugins",
	.operands = "[name]",
	.summary = "show the modules, and why one was refused; of one, its settings",
	.helps = true,
	.options = options,
	.act = show_plugins,
};

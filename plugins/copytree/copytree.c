/* copytree/copytree.c - the plugin's one symbol. */
#include "copytree.h"

#include <stddef.h>

static const struct pinfold_arm *const arms[] = { &copytree_arm, NULL };
static const struct pinfold_view *const views[] = { &copytree_view, NULL };

const struct pinfold_plugin pinfold_plugin = {
	.size = sizeof(pinfold_plugin),
	.major = PINFOLD_PLUGIN_MAJOR,
	.minor = PINFOLD_PLUGIN_MINOR,
	.name = "copytree",
	.version = "0.1.0",
	.summary = "the arm copytree and the view copy",
	.arms = arms,
	.views = views,
	.manual = "pinfold-copytree(7)",
};

/* built_in/built_in.c - the modules that nearly every run needs: loading them would take longer than what
 * they do before the command starts. Only where their files are installed, and of this build. */
#include "built_in.h"

static const struct pinfold_built_in modules[] = {
	{ "namespaces", &pinfold_plugin_namespaces, built_in_id_namespaces },
	{ "copytree", &pinfold_plugin_copytree, built_in_id_copytree },
	{ "landlock", &pinfold_plugin_landlock, built_in_id_landlock },
	{ "ccache", &pinfold_plugin_ccache, built_in_id_ccache },
	{ "distcc", &pinfold_plugin_distcc, built_in_id_distcc },
	{ "generic", &pinfold_plugin_generic, built_in_id_generic },
	{ "sccache", &pinfold_plugin_sccache, built_in_id_sccache },
	{ NULL, NULL, NULL },
};

const struct pinfold_built_in *built_in_modules(void)
{
	return modules;
}

/* macos/built_in.c - no part of the program stands in for a module: the files of a Mac have no build id that we
 * read. */
#include "config.h"

#include "registry/modules.h"

const struct pinfold_plugin *built_in_find(const struct pinfold_built_in *built_in, const struct module *module)
{
	(void)built_in;
	(void)module;
	return NULL;
}

/* plugins/common/bare/bare.c - where the command works in an arm that makes no namespaces. */
#include "bare.h"

#include <string.h>

const char *bare_directory(const struct pinfold_host *host, const struct pinfold_shown *shown)
{
	size_t length = strlen(shown->tree);
	const char *directory = shown->directory ? shown->directory : shown->tree;
	if (length == 1)	/* "/" */
		length = 0;
	if (strncmp(directory, shown->tree, length) != 0 ||
	    (directory[length] != '/' && directory[length] != '\0'))
		return NULL;
	return host->print(host, "%s%s", shown->source, directory + length);
}

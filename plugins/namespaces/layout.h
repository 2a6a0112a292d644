/* plugins/namespaces/layout.h - what the deciding code shares. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "namespaces.h"

/* Is `path` below `directory`? Both canonical. */
bool path_lies_in(const char *path, const char *directory);
/* Is it in or below a directory that is shown empty or becomes private? */
bool scene_empties(const struct scene *scene, const char *path);
/* Is what lies in this place only what we put there? */
bool place_is_empty(const struct place *place);
/* The rows that every skeleton begins with. */
const struct make *skeleton_beginning(size_t *ret_count);
/* Decides what the skeleton holds, and the mount points in the private temporary directory. */
int skeleton_lay_out(const struct pinfold_host *host, const struct scene *scene,
		     struct layout *layout);

#endif

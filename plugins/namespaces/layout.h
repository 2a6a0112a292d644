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
/* Sorted by path a directory comes before what lies in it; of places at one path the first counts, and is as
 * the others are. */
void layout_order(struct layout *layout);

/* guards.c: could the command write where this place lies? */
bool guards_can_write(const struct scene *scene, const struct place *place);
/* What is readable where all can be seen anyway goes before anything is decided by what lies around it. */
void guards_drop_sights(struct layout *layout);
/* What lies in something protected is so too, but for what is the command's own; and what can be executed. */
void guards_spread(const struct scene *scene, struct layout *layout);
/* What does not exist, and could be made. -1 when memory is gone. */
int guards_note_absent(const struct pinfold_host *host, const struct scene *scene, struct layout *layout);
void guards_drop_needless(const struct scene *scene, struct layout *layout);

/* The rows that every skeleton begins with. */
const struct make *skeleton_beginning(size_t *ret_count);
/* Decides what the skeleton holds, and the mount points in the private temporary directory. */
int skeleton_lay_out(const struct pinfold_host *host, const struct scene *scene,
		     struct layout *layout);

#endif

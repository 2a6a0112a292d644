/* plugins/namespaces/through.h - the same view through bubblewrap, where a machine's policy admits only
 * that program. */
#ifndef THROUGH_H
#define THROUGH_H

#include "layout.h"

struct arguments {
	const char **items;	/* NULL-terminated */
	size_t count, room;
};

/* What is where a place will be laid, before anything is: st_mode, 0 for nothing, or -1 for a link. */
typedef int (*look_for)(const struct place *place);

/* Decides bubblewrap's options for a layout, in their order. */
int through_options(const struct pinfold_host *host, const struct scene *scene,
		    const struct layout *layout, look_for look, struct arguments *ret_arguments,
		    struct pinfold_error *err);
/* Fills the plan's `through` after looking whether the program can be trusted. */
int through_plan(const struct pinfold_host *host, const struct settings *settings,
		 const struct scene *scene, const struct filter *filter, struct pinfold_plan *plan,
		 struct pinfold_error *err);
/* Closes what it opened. */
void through_give_back(struct pinfold_plan *plan);

/* Is the program one that nobody but root can change? The canonical path, or an error. */
int through_check(const struct pinfold_host *host, const char *program, const char **ret_path,
		  struct pinfold_error *err);

/* Runs `words` (NULL-terminated) inside. What it and bubblewrap say on standard error goes to `said`, cut
 * and without what a terminal would obey. True when it ended with 0. */
bool through_try(const struct pinfold_host *host, const struct pinfold_plan *plan,
		 const char *const *words, char *said, size_t room);

#endif

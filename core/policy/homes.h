/* policy/homes.h - what is hidden below a home, wherever homes lie. */
#ifndef POLICY_HOMES_H
#define POLICY_HOMES_H

#include "base/list.h"
#include "policy/paths.h"

/* The homes of this machine: the directories in `parent`, and `superuser`. Tests have their own. */
struct homes {
	const char *parent, *superuser;
};

/* Hides the homes of others whole; of one that is the caller's too, or that holds what the command
 * needs, what `hidden` names below the caller's home. `hidden` are absolute paths. */
int homes_hide(const struct homes *homes, struct paths *paths, const struct list *const *hidden,
	       struct pinfold_error *err);

#endif

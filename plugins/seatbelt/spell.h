/* plugins/seatbelt/spell.h - paths as the kernel spells them when it judges by a profile.
 *
 * The file system of a Mac takes the cases of letters for one, and shows directories of one volume in another:
 * a rule of another spelling than the kernel's own never matches.
 */
#ifndef SEATBELT_SPELL_H
#define SEATBELT_SPELL_H

#include "calls.h"
#include "lower.h"

/* Copies what the scene names, spelled anew. What a path led to when it was resolved must be there still. */
int spell_scene(const struct pinfold_host *host, const struct calls *calls, const struct pinfold_policy *policy,
		const struct pinfold_shown *shown, struct pinfold_policy *ret_policy,
		struct pinfold_shown *ret_shown, struct pinfold_error *err);
/* One path. What does not exist keeps its last part as it is. */
int spell_path(const struct pinfold_host *host, const struct calls *calls, const char *path,
	       const char **ret_path, struct pinfold_error *err);

#endif

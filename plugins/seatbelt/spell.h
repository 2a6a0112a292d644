/* plugins/seatbelt/spell.h - paths as the kernel spells them when it judges by a profile.
 *
 * The file system of a Mac takes the cases of letters for one, and shows directories of one volume in another:
 * a rule of another spelling than the kernel's own never matches.
 */
#ifndef SEATBELT_SPELL_H
#define SEATBELT_SPELL_H

#include "calls.h"
#include "lower.h"

/* What a scene names, spelled anew. */
struct spelling {
	struct pinfold_policy policy;
	struct pinfold_shown shown;
	const char **rewritten;	/* "from -> to", each once; NULL-terminated, or NULL */
	size_t count, room;
};

/* What a path led to when it was resolved must be there still. */
int spell_scene(const struct pinfold_host *host, const struct calls *calls, const struct pinfold_policy *policy,
		const struct pinfold_shown *shown, struct spelling *ret_spelling, struct pinfold_error *err);
/* One path. What does not exist keeps its last part as it is. */
int spell_path(const struct pinfold_host *host, const struct calls *calls, const char *path,
	       const char **ret_path, struct pinfold_error *err);

#endif

/* policy/environment.h - the complete environment of a command, and the names kept from it. */
#ifndef POLICY_ENVIRONMENT_H
#define POLICY_ENVIRONMENT_H

#include "base/list.h"
#include "config/config.h"

struct environment {
	struct list variables;	/* "NAME=value", complete: nothing else reaches the command */
	struct list dropped;	/* names only, sorted */
};

/* What the run itself decides; each wins over what the caller's environment says, and loses to an
 * explicit setting of the caller. NULL leaves the name out of the environment. */
struct environment_places {
	const char *directory;	/* PWD as the command sees it */
	const char *temporary;	/* TMPDIR, TMP, TEMP */
	const char *runtime_dir;	/* XDG_RUNTIME_DIR */
	const char *run;	/* the run's nonce: PINFOLD_RUN; always wins */
	const char *git_ceiling;	/* where git looks for no repository, nor above; NULL: as the caller has it */
	bool keep_jobserver;	/* the descriptors that MAKEFLAGS names are handed over */
};

/* `caller` is an envp. `explicit_settings` are "NAME=value" (set) or "NAME" (pass through from the
 * caller), NULL-terminated or NULL; they win over everything but the nonce. */
int environment_build(const struct config *config, const char *const *caller,
		      const char *const *explicit_settings, const struct environment_places *places,
		      struct environment *ret_environment, struct pinfold_error *err);
void environment_release(struct environment *environment);

#endif

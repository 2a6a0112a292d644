/* fakes/tells-its-policy.c - it says which paths it is given to hide, and what it shows; it works in the copy's place. */
#define FAKE_NAME "tells-its-policy"
#define FAKE_PREPARE tell
#include <pinfold/arm.h>

static int tell(const struct pinfold_host *host, const struct pinfold_policy *policy,
		const struct pinfold_shown *shown, struct pinfold_plan *plan, struct pinfold_error *err)
{
	(void)err;
	plan->directory = shown->source;
	plan->temporary = shown->temporary;
	host->log(host, PINFOLD_LOG_WARNING, host->print(host, "shows %s", shown->source));
	for (size_t i = 0; i < policy->path_count; i++)
		if (policy->paths[i].kind == PINFOLD_PATH_HIDE)
			host->log(host, PINFOLD_LOG_WARNING,
				  host->print(host, "hides %s %llu", policy->paths[i].path,
					      (unsigned long long)policy->paths[i].inode));
	return 0;
}

#include "fake.h"

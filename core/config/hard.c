/* config/hard.c - whether the vendor's hard tier is there: without its file it would be empty, and nobody told. */
#include "config/hard.h"

#include "base/fault.h"
#include "base/text.h"
#include "config/effective.h"

static const char NAME[] = "hard.conf";

/* All that the file assigns; nothing is an empty list. */
static bool fills(const struct draft *draft, const char *name)
{
	const struct assignment *made = draft ? draft_find(draft, "hard", name) : NULL;
	return made && made->value.list.count > 0;
}

int hard_look(const struct gathered *gathered, const char **ret_trouble, struct pinfold_error *err)
{
	const struct draft *found = NULL;
	const char *file = arena_print(gathered->maker.arena, "%s/%s", gathered->vendor, NAME);
	if (!file)
		return fault_no_memory(err);
	for (size_t i = 0; i < gathered->count; i++)
		if (gathered->drafts[i]->layer == LAYER_VENDOR && streq(gathered->drafts[i]->file, file))
			found = gathered->drafts[i];
	const char *what = !found ? "it is not there" :
			   !fills(found, "hidden") ? "it names no [hard] hidden path" :
			   !fills(found, "protected") ? "it names no [hard] protected path" : NULL;
	const char *trouble = what ? arena_print(gathered->maker.arena, "%s: %s", file, what) : NULL;
	if (what && !trouble)
		return fault_no_memory(err);
	*ret_trouble = trouble;
	return 0;
}

int config_check_hard(const struct config *config, struct pinfold_error *err)
{
	if (!config->hard_trouble)
		return 0;
	return fault(err, PINFOLD_E_CONFIG, 0, "read what no command may have", config->hard_trouble,
		     "install pinfold's own hard.conf there again; what a site adds belongs into a file of its own");
}

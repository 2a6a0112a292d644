/* face/wrapping_key.c - what a decision about a wrapper is about: confinement as the arm applies it, the
 * directory, and the environment; and what would change it. Nothing of it can be read from the key. */
#include "config.h"

#include "face/wrapping.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"
#include "face/face.h"

/* Differ with every run, or say nothing to a compiler. */
static bool is_passing(const char *entry)
{
	static const char *const names[] = {
		"PWD", "OLDPWD", "SHLVL", "_", "PINFOLD_RUN", "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "TMPDIR",
		"TMP", "TEMP", "TMPPREFIX", "COLUMNS", "LINES", "WINDOWID", "GIT_CEILING_DIRECTORIES",
	};
	size_t length = strcspn(entry, "=");
	for (size_t i = 0; i < N_ELEMENTS(names); i++)
		if (strlen(names[i]) == length && memcmp(entry, names[i], length) == 0)
			return true;
	return false;
}

static void add_confinement(const struct pinfold_run *run, struct text *text)
{
	const struct arms_offer *offer = run->choice.offer;
	const struct pinfold_policy *policy = &run->policy->lowered;
	text_addf(text, "pinfold %s\narm %s %llx\nnetwork %u machine %u view %s\n", PACKAGE_VERSION,
		  offer->name, (unsigned long long)offer->offer.kept, policy->network, policy->machine,
		  view_is_direct(run) ? "direct" : "apart");
	for (size_t i = 0; i < policy->path_count; i++)
		text_addf(text, "path %u %u %s\n", policy->paths[i].kind, policy->paths[i].match,
			  policy->paths[i].path);
	text_addf(text, "calls %llx %llx\n", (unsigned long long)policy->calls_allowed,
		  (unsigned long long)policy->calls_refused);
	for (size_t i = 0; i < policy->connect_count; i++)
		text_addf(text, "connect %u\n", policy->connect_ports[i]);
	for (size_t i = 0; i < policy->listen_count; i++)
		text_addf(text, "listen %u\n", policy->listen_ports[i]);
	for (const char *const *relaxed = policy->relax; relaxed && *relaxed; relaxed++)
		text_addf(text, "relax %s\n", *relaxed);
}

/* A copy lies in another place each time: its tree's name counts, not its own. */
static void add_directory(const struct pinfold_run *run, const struct wrapping *wrapping, struct text *text)
{
	text_addf(text, "tree %s\n", run->directory.path);
	text_add(text, "directory ");
	sight_add_name(&wrapping->sight, wrapping->sight.directory, text);
}

static void add_environment(const struct pinfold_run *run, struct text *text)
{
	const struct list *variables = &run->wrappings.surroundings;
	for (size_t i = 0; i < variables->count; i++)
		if (!is_passing(variables->items[i]))
			text_add_bytes(text, variables->items[i], strlen(variables->items[i]) + 1);
}

static void add_list(const char *name, const char *const *list, struct text *text)
{
	for (; list && *list; list++)
		text_addf(text, "%s %s\n", name, *list);
}

/* Values that differ with every run: endpoints that nobody is to guess. */
static void add_names(const char *name, const char *const *list, struct text *text)
{
	for (; list && *list; list++)
		text_addf(text, "%s %.*s\n", name, (int)strcspn(*list, "="), *list);
}

int wrapping_key(const struct pinfold_run *run, const struct wrapping *wrapping,
		 struct decision_key *ret_key, struct pinfold_error *err)
{
	struct decision_key key = { .arm = run->choice.offer->name, .tree = run->directory.path };
	const struct text *stamps = &wrapping->look.stamps;
	struct text text = { 0 };
	text_addf(&text, "toolchain %s\n", wrapping->toolchain->name);
	add_confinement(run, &text);
	add_directory(run, wrapping, &text);
	add_environment(run, &text);
	if (wrapping->preparer.wrapper)
		text_addf(&text, "preparer %s\n", wrapping->preparer.wrapper->name);
	add_list("needs", wrapping->preparer.preparation.environment, &text);
	add_names("imposed", wrapping->preparer.preparation.imposed, &text);
	add_list("start", wrapping->preparer.preparation.start, &text);
	add_list("inside", wrapping->preparer.preparation.inside, &text);
	add_names("behind", wrapping->preparer.preparation.behind, &text);
	add_list("inside environment", wrapping->preparer.preparation.inside_environment, &text);
	size_t bytes = text.length;
	auto_free char *all = text_take(&text);
	if (!all || stamps->failed)
		return fault_no_memory(err);
	fingerprint_of(all, bytes, key.key);
	fingerprint_of(stamps->data ? stamps->data : "", stamps->length, key.stamps);
	*ret_key = key;
	return 0;
}

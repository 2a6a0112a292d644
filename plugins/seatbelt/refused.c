/* plugins/seatbelt/refused.c - what the kernel refused, in the host's words: what it was, by which rule, and what would let
 * it through where that is no path's affair. */
#include "refused.h"

#include "profile.h"

#include <string.h>

/* The first whose beginning the operation has. */
static const struct {
	const char *beginning;
	uint32_t kind;
} kinds[] = {
	{ "file-read", PINFOLD_REFUSED_READ },
	{ "file-test-existence", PINFOLD_REFUSED_READ },
	{ "file-map-executable", PINFOLD_REFUSED_EXECUTE },
	{ "file-write-create", PINFOLD_REFUSED_MAKE },
	{ "file-link", PINFOLD_REFUSED_MAKE },
	{ "file-clone", PINFOLD_REFUSED_MAKE },
	{ "file-write-unlink", PINFOLD_REFUSED_REPLACE },
	{ "file-write-data", PINFOLD_REFUSED_WRITE },
	{ "file-write", PINFOLD_REFUSED_CHANGE },
	{ "process-exec", PINFOLD_REFUSED_EXECUTE },
	{ "network-outbound", PINFOLD_REFUSED_CONNECT },
};

uint32_t refused_kind(const char *operation)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strncmp(operation, kinds[i].beginning, strlen(kinds[i].beginning)) == 0)
			return kinds[i].kind;
	return PINFOLD_REFUSED_CALL;
}

static const char *why_of(const char *kind)
{
	static const char *const texts[RULE_KINDS] = {
		[RULE_DEFAULT] = "nothing allows it",
		[RULE_HIDDEN] = "hidden",
		[RULE_PROTECTED] = "protected",
		[RULE_HARD] = "of the hard tier",
		[RULE_TREE] = "the tree itself, of which the command has a copy",
		[RULE_SCRATCH] = "pinfold's own directory of copies",
	};
	for (unsigned i = 0; i < RULE_KINDS; i++)
		if (strcmp(kind, rule_kind_name(i)) == 0)
			return texts[i];
	return "a rule of the profile";
}

/* NULL: a path's, which the host knows. */
static const char *lift_of(const struct denial *denial, uint32_t kind)
{
	if (strcmp(denial->kind, rule_kind_name(RULE_HARD)) == 0)
		return "nothing lifts that: it is of the hard tier";
	if (strncmp(denial->operation, "network-", 8) == 0 && denial->about[0] != '/')
		return "set [network] mode = host, or mode = ports and name its port";
	if (strncmp(denial->operation, "mach-", 5) == 0)
		return "nothing lifts that: of the system's services those are reached that every program needs";
	if (strcmp(denial->operation, "signal") == 0)
		return "nothing lifts that: processes outside are not signalled";
	return kind == PINFOLD_REFUSED_CALL || denial->about[0] != '/' ? "nothing lifts that: the profile has no rule to add" : NULL;
}

struct told {
	const struct pinfold_host *host;
	pinfold_tell_refused *tell;
	void *context;
};

static void tell_one(void *context, const struct denial *denial)
{
	const struct told *told = context;
	const char *why = why_of(denial->kind), *more = told->host->print(told->host, "%s; tried by %s", why, denial->process);
	uint32_t kind = refused_kind(denial->operation);
	const struct pinfold_refused refused = {
		.size = sizeof(refused), .kind = kind, .call = denial->operation,
		.target = denial->about[0] ? denial->about : denial->operation,
		.why = more ? more : why, .lift = lift_of(denial, kind), .count = denial->count,
	};
	told->tell(told->context, &refused);
}

const char *refused_tell(const struct pinfold_host *host, const struct calls *calls, struct hearing *hearing,
			 pinfold_tell_refused *tell, void *context)
{
	struct told told = { host, tell, context };
	return denials_collect(host, calls, hearing, tell_one, &told);
}

/* cli/usage.c - the verbs, and what is told of them and their options. */
#include "config.h"

#include "usage.h"

#include <stdio.h>
#include <string.h>

static const struct verb *const verbs[] = {
	&verb_run, &verb_exec, &verb_serve, &verb_diff, &verb_report, &verb_apply, &verb_discard, &verb_sessions, &verb_jobs, &verb_gc, &verb_explain,
	&verb_probe, &verb_wrappers, &verb_config, &verb_plugins, &verb_help,
};
enum { VERB_COUNT = sizeof(verbs) / sizeof(verbs[0]) };

const struct verb *usage_verb(const char *name)
{
	for (size_t i = 0; i < VERB_COUNT; i++)
		if (strcmp(verbs[i]->name, name) == 0)
			return verbs[i];
	return NULL;
}

const struct verb *usage_find_verb(const char *name, struct pinfold_error *err)
{
	const struct verb *verb = usage_verb(name);
	if (verb)
		return verb;
	const char *names[VERB_COUNT + 1] = { NULL };
	for (size_t i = 0; i < VERB_COUNT; i++)
		names[i] = verbs[i]->name;
	char recovery[128] = "to run a command: pinfold run -- COMMAND; see pinfold --help";
	const char *nearest = pinfold_nearest(name, names);
	static const char *const general[] = { "--help", "--version", "--list", NULL };
	if (name[0] == '-' && (nearest = pinfold_nearest(name, general)))
		snprintf(recovery, sizeof(recovery), "did you mean %s?", nearest);
	else if (name[0] == '-')
		snprintf(recovery, sizeof(recovery),
			 "the verb comes first, then its options; see pinfold --help");
	else if (nearest)
		snprintf(recovery, sizeof(recovery), "did you mean %s? see pinfold --help", nearest);
	pinfold_fail(err, PINFOLD_E_USAGE, 0, "find the verb", name, recovery);
	return NULL;
}

bool usage_may_lack_operands(const struct verb *verb)
{
	return verb->operands && verb->operands[0] == '[';
}

void usage_show_verbs(void)
{
	puts("usage: pinfold VERB [options] [--] [operands]\n\nverbs:");
	for (size_t i = 0; i < VERB_COUNT; i++)
		printf("  %-10s %s\n", verbs[i]->name, verbs[i]->summary);
	puts("\nTo begin with:  pinfold run -- make    what it changes lands on a copy\n"
	     "                pinfold diff           what that was\n"
	     "                pinfold apply          have it in the tree\n"
	     "\npinfold VERB --help shows the options of a verb, pinfold help TOPIC the whole of it;\n"
	     "pinfold help lists the topics, pinfold --version says the version.");
}

void usage_show_verb(const struct verb *verb)
{
	const char *between = !verb->operands ? "" : usage_may_lack_operands(verb) ? " " : " -- ";
	printf("usage: pinfold %s [options]%s%s\n%s\n\n", verb->name, between,
	       verb->operands ? verb->operands : "", verb->summary);
	options_show(verb->options);
}

static void list_options(const struct verb *verb)
{
	for (const struct option_row *const *table = verb->options; *table; table++)
		for (const struct option_row *row = *table; row->name; row++)
			printf("option\t%s\t%s\t%s\t%s\n", verb->name, row->name, row->argument ? row->argument : "",
			       row->help);
}

void usage_list(void)
{
	for (size_t i = 0; i < VERB_COUNT; i++) {
		printf("verb\t%s\t%s\t%s\n", verbs[i]->name, verbs[i]->operands ? verbs[i]->operands : "",
		       verbs[i]->summary);
		list_options(verbs[i]);
	}
}

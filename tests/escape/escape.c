/* escape/escape.c - `escape CASES PRELOAD PINFOLD [FILTER]`: attacks itself by way of an installed pinfold, with every case
 * in every way of running that this machine gives, and judges each arm by what it declared. PINFOLD_REQUIRE names arms
 * that must be there. A way `arm:NAME` is an arm of any name. The last line counts. */
#include "config.h"

#include "how.h"
#include "trials.h"

#include <errno.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BATCH 24

static const struct way ways[] = {
	{ "namespaces", "namespaces", { "--view", "copy" }, { NULL }, true },
	{ "namespaces, overlay", "namespaces", { "--view", "overlay" }, { NULL }, true },
	{ "namespaces, in a session", "namespaces", { "--view", "copy", "--session", "one" }, { NULL }, false },
	{ "namespaces, whole machine", "namespaces", { "--scope", "machine" }, { NULL }, false },
	{ "namespaces, nested", "namespaces", { "--view", "copy" }, { "--set", "arm:namespaces.nested=yes" }, false },
	{ "namespaces, by bubblewrap", "namespaces", { "--view", "copy" }, { "--set", "arm:namespaces.wrapper=/usr/bin/bwrap" }, false },
	{ "landlock", "landlock", { "--view", "copy" }, { NULL }, true },
	{ "landlock, in a session", "landlock", { "--view", "copy", "--session", "one" }, { NULL }, false },
	{ "copytree", "copytree", { "--view", "copy" }, { NULL }, true },
	{ "copytree, in a session", "copytree", { "--view", "copy", "--session", "one" }, { NULL }, false },
};

static struct world world;
static struct table table;
static struct trial controls[MOST_CASES];
static bool controlled[MOST_CASES];
static unsigned passed, failed, skipped;
static bool verbose;

/* What can no more be tried is no verdict: the suite says what it was, and fails. */
__attribute__((noreturn)) static void give_up(const char *what, const struct way *way)
{
	printf("%s%s%s could not be tried: %s\n", what, way ? " in the way " : "", way ? way->name : "", strerror(errno));
	exit(2);
}

static void close_world(void)
{
	world_close(&world);
}

static void stop(int number)
{
	world_close(&world);
	signal(number, SIG_DFL);
	raise(number);
}

static bool is_wanted(const struct entry *entry, const regex_t *filter)
{
	return regexec(filter, entry->name, 0, NULL, 0) == 0 || regexec(filter, entry->class, 0, NULL, 0) == 0;
}

/* What pinfold itself does cannot be seen without it; what would harm the machine is not tried. */
static bool has_control(const struct entry *entry)
{
	return !(entry->how & (HARMFUL | AFTERWARDS)) && strcmp(entry->promise, "own") != 0;
}

static bool suits(const struct entry *entry, const struct way *way)
{
	bool machine = strcmp(way->options[0], "--scope") == 0;
	return !(entry->how & ROOT_ONLY && geteuid() != 0) && !(entry->how & NO_MACHINE && machine) &&
	       !(entry->how & (STARVES | AFTERWARDS) && !way->whole);
}

static const struct trial *control(size_t i)
{
	const struct entry *entry = &table.entries[i];
	if (!has_control(entry))
		return NULL;
	if (!controlled[i] && trial_control(&world, entry, &controls[i]) < 0)
		give_up(entry->name, NULL);
	controlled[i] = true;
	return &controls[i];
}

static void report(const struct way *way, const char *name, enum verdict verdict, const char *promise, const char *why)
{
	bool bad = verdict == ESCAPED || verdict == OVER_REFUSED || verdict == CONTRADICTION;
	passed += verdict == CONFORMS;
	skipped += verdict == NOT_MEASURED;
	failed += bad;
	if (bad || verbose)
		printf("%s%s (%s, %s): %s: %s\n", bad ? "FAIL " : "", name, way->name, promise, verdict_word(verdict), why);
	fflush(stdout);
}

static void judge_one(const struct way *way, const struct declared *declared, const struct entry *entry,
		      const struct trial *without, const struct trial *within, struct tally *tallies)
{
	const char *why;
	int promise = arms_index(declared, entry->promise);
	if (promise < 0) {
		report(way, entry->name, CONTRADICTION, entry->promise, "the arm does not answer for this promise");
		return;
	}
	int of_twin = entry->twin_promise ? arms_index(declared, entry->twin_promise) : -1;
	bool named = of_twin >= 0 && judge_names(declared->notes[of_twin], entry->twin_unless);
	struct evidence evidence = { declared->kept[promise], declared->notes[promise], entry->unless, named,
				     entry->how & WHOLE, without ? &without->attempt : NULL, within->attempt };
	enum verdict verdict = judge_case(&evidence, &why);
	judge_count(&tallies[promise], &evidence, verdict);
	report(way, entry->name, verdict, entry->promise, why);
}

static void try_alone(const struct way *way, const struct declared *declared, size_t i, struct tally *tallies)
{
	struct trial within;
	const struct trial *without = control(i);
	if (trial_confined(&world, &table.entries[i], way, &within) < 0)
		give_up(table.entries[i].name, way);
	within.attempt.text = within.text;
	judge_one(way, declared, &table.entries[i], without, &within, tallies);
}

/* Those of which nothing at all is seen from outside need not be tried one by one. */
static void try_together(const struct way *way, const struct declared *declared, const size_t *cases, size_t count,
			 struct tally *tallies)
{
	const struct entry *entries[BATCH];
	static struct trial trials[BATCH];
	for (size_t i = 0; i < count; i++) {
		control(cases[i]);
		entries[i] = &table.entries[cases[i]];
	}
	bool quiet = count > 1 && trial_batch(&world, entries, count, way, trials);
	for (size_t i = 0; i < count; i++)
		if (quiet)
			judge_one(way, declared, entries[i], control(cases[i]), &trials[i], tallies);
		else
			try_alone(way, declared, cases[i], tallies);
}

static void try_all(const struct way *way, const struct declared *declared, const regex_t *filter, struct tally *tallies)
{
	size_t together[BATCH], count = 0;
	for (size_t i = 0; i < table.count; i++) {
		const struct entry *entry = &table.entries[i];
		if (!is_wanted(entry, filter) || !suits(entry, way))
			continue;
		if (strcmp(way->arm, "copytree") == 0 || !trial_can_batch(entry)) {
			try_alone(way, declared, i, tallies);
			continue;
		}
		together[count++] = i;
		if (count == BATCH) {
			try_together(way, declared, together, count, tallies);
			count = 0;
		}
	}
	if (count)
		try_together(way, declared, together, count, tallies);
}

static void judge_promises(const struct way *way, const struct declared *declared, const struct tally *tallies, bool all)
{
	const char *why;
	for (size_t i = 0; i < declared->count; i++) {
		if (!all && declared->kept[i])	/* the cases that measure it were not asked for */
			continue;
		enum verdict verdict = judge_promise(declared->kept[i], declared->notes[i][0], &tallies[i], &why);
		if (verdict != CONFORMS)
			report(way, "the promise", verdict, declared->names[i], why);
	}
}

/* Can this way be gone at all? */
static bool is_possible(const struct way *way, struct declared *declared)
{
	static struct running running;
	const char *arguments[32], *required = getenv("PINFOLD_REQUIRE");
	if (arms_ask(&world, way, declared) < 0)
		give_up("what is declared", way);
	if (declared->available) {
		size_t at = trial_begin(&world, way, arguments);
		arguments[at++] = "--";
		arguments[at++] = "./cases";
		arguments[at++] = "list";
		arguments[at] = NULL;
		running = (struct running){ .arguments = arguments, .limit = 30, .token = "none" };
		if (running_do(&world, &running) < 0)
			give_up("the list of cases", way);
		if (running.status == 0)
			return true;
		snprintf(declared->missing, sizeof(declared->missing), "%.1000s", running.errors);
		for (char *at_end = declared->missing; (at_end = strchr(at_end, '\n'));)
			*at_end = ' ';
	}
	bool demanded = required && strstr(required, way->arm);
	printf("%s %s: %s\n", demanded ? "FAIL" : "skip", way->name, declared->missing);
	failed += demanded;
	skipped += !demanded;
	return false;
}

static void go(const struct way *way, const regex_t *filter, bool all)
{
	static struct declared declared;
	struct tally tallies[MOST_PROMISES] = { { 0 } };
	unsigned before[3] = { passed, failed, skipped };
	if (!is_possible(way, &declared))
		return;
	int ceilings = arms_index(&declared, "resources");
	world.together = ceilings >= 0 && declared.kept[ceilings];
	try_all(way, &declared, filter, tallies);
	judge_promises(way, &declared, tallies, all);
	printf("%s: %u conform, %u do not, %u not measured\n", way->name, passed - before[0], failed - before[1],
	       skipped - before[2]);
}

/* An arm that is none of ours, whose module lies beside those that are. */
static const struct way *way_of_arm(const char *arm)
{
	static char plugins[128];
	static struct way way;
	snprintf(plugins, sizeof(plugins), "pinfold.plugins=copytree, %s", arm);
	way = (struct way){ arm, arm, { "--view", "copy" }, { NULL }, true };
	if (strcmp(arm, "copytree") != 0) {
		way.settings[0] = "--set";
		way.settings[1] = plugins;
	}
	return &way;
}

/* Told once, whatever the number of ways. */
static void list_unmeasured(const regex_t *filter)
{
	for (size_t i = 0; i < table.count; i++) {
		const struct attempt *attempt = &controls[i].attempt;
		if (!is_wanted(&table.entries[i], filter) || !controlled[i])
			continue;
		if (attempt->unavailable || !attempt->effect || !attempt->twin)
			printf("not measured %s: without confinement: %s\n", table.entries[i].name, controls[i].text);
	}
}

int main(int argc, char **argv)
{
	regex_t filter;
	if (argc == 4 && strcmp(argv[1], "--victim") == 0)
		return victim_main(atoi(argv[2]));
	if (argc > 1 && strcmp(argv[1], "-v") == 0) {
		verbose = true;
		argv++;
		argc--;
	}
	if (argc < 4 || argc > 6) {
		fputs("usage: escape [-v] CASES PRELOAD PINFOLD [FILTER [WAY]]\n", stderr);
		return 2;
	}
	if (regcomp(&filter, argc > 4 ? argv[4] : ".", REG_EXTENDED | REG_NOSUB) != 0)
		return 2;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGTERM, stop);
	signal(SIGINT, stop);
	snprintf(world.preload, sizeof(world.preload), "%s", argv[2]);
	if (world_open(&world, argv[1], argv[3]) < 0) {
		fputs("what is to be attacked could not be made\n", stderr);
		return 2;
	}
	atexit(close_world);
	if (table_read(&world, &table) < 0) {
		fputs("the cases could not be listed\n", stderr);
		return 2;
	}
	bool all = argc < 5 || strcmp(argv[4], ".") == 0;
	if (argc > 5 && strncmp(argv[5], "arm:", 4) == 0)
		go(way_of_arm(argv[5] + 4), &filter, all);
	else
		for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
			if (argc < 6 || strcmp(argv[5], ways[i].name) == 0)
				go(&ways[i], &filter, all);
	list_unmeasured(&filter);
	regfree(&filter);
	printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
	return failed == 0 && passed > 0 ? 0 : 1;
}

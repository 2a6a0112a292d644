/* escape/trials.c - see trials.h. */
#include "config.h"

#include "how.h"
#include "trials.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STARVING 0.3	/* seconds that a command gets which does not end by itself */
#define ENDING 6.0	/* and within which all of it must have ended */

static struct running running;

static void make_token(char token[16])
{
	unsigned char bytes[6];
	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		abort();
	token[0] = 'T';
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(token + 1 + 2 * i, 3, "%02x", bytes[i]);
}

/* Word of a line "WHAT WORD REST". */
static const char *line_of(const char *output, const char *what)
{
	size_t length = strlen(what);
	for (const char *line = output; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
		if (strncmp(line, what, length) == 0 && line[length] == ' ')
			return line + length + 1;
	return NULL;
}

static bool word_is(const char *line, const char *word)
{
	return line && strncmp(line, word, strlen(word)) == 0;
}

/* Output may hold bytes that are not text; they end a string. */
static void flatten(char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!bytes[i])
			bytes[i] = '?';
}

/* Those that are to end with the command may take a moment. */
static void look_for_survivors(const char *token, bool bare, struct effects *effects)
{
	int tries = bare ? 1 : 60;
	while (watch_survivors(token, false) && --tries > 0)
		nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
	if (tries == 0) {
		watch_add(effects, "a process outlived the command");
		for (int i = 0; i < 400 && watch_survivors(token, true); i++)
			nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
	}
}

static void read_words(const struct entry *entry, const char *output, struct trial *trial)
{
	const char *attempt = line_of(output, "attempt"), *twin = line_of(output, "twin");
	trial->attempt.reached = word_is(attempt, "reached");
	trial->attempt.unavailable = word_is(attempt, "unavailable");
	trial->attempt.twin = word_is(twin, "reached");
	trial->attempt.ran = twin && (attempt || entry->how & (STARVES | KILLED));
	trial->attempt.whole = !twin && WIFEXITED(running.status) && WEXITSTATUS(running.status) == 125;
	if (attempt)
		snprintf(trial->text, sizeof(trial->text), "%.*s", (int)strcspn(attempt, "\n"), attempt);
	else
		snprintf(trial->text, sizeof(trial->text), "status %#x, %s%.400s", (unsigned)running.status,
			 trial->attempt.whole ? "pinfold refused the command: " : "", running.errors);
	for (char *end = trial->text; (end = strchr(end, '\n'));)
		*end = ' ';
	if (twin && !trial->attempt.twin)
		snprintf(trial->text, sizeof(trial->text), "the twin says: %.*s", (int)strcspn(twin, "\n"), twin);
}

static void conclude(struct world *world, const struct entry *entry, const struct sight *before, bool bare,
		     struct effects *effects, struct trial *trial)
{
	bool trees = !(entry->how & AFTERWARDS) && (!bare || strcmp(entry->promise, "filesystem") == 0);
	if (watch_finds_secret(world, running.output, running.output_count))
		watch_add(effects, "a secret was read");
	if (running.listened)
		watch_add(effects, "a server inside was reached");
	if (running.terminal.text[0])
		watch_add(effects, running.terminal.text);
	if (running.late && !bare)
		watch_add(effects, "the host was held up");
	look_for_survivors(running.token, bare, effects);
	watch_compare(world, before, running.token, trees, effects);
	flatten(running.output, running.output_count);
	read_words(entry, running.output, trial);
	trial->attempt.effect = effects->text[0] || (entry->how & BY_WORD && trial->attempt.reached);
	if (effects->text[0])
		snprintf(trial->text, sizeof(trial->text), "%s", effects->text);
	trial->attempt.text = trial->text;
}

int trial_control(struct world *world, const struct entry *entry, struct trial *ret_trial)
{
	char token[16], program[PATH_ROOM + 16];
	struct sight before;
	struct effects effects = { "" };
	make_token(token);
	snprintf(program, sizeof(program), "%s/cases", world->tree);
	const char *arguments[] = { program, "try", entry->name, token, "unconfined", NULL };
	running.arguments = arguments;
	running.how = entry->how;
	running.bare = true;
	running.terminal_output = false;
	running.limit = entry->how & STARVES ? STARVING : 10;
	running.token = token;
	*ret_trial = (struct trial){ 0 };
	watch_look(world, &before, false);
	if (running_do(world, &running) < 0)
		return -1;
	conclude(world, entry, &before, true, &effects, ret_trial);
	/* The tree is the real one here, and whatever the attempt made in it stays. */
	return world_mend(world);
}

size_t trial_begin(const struct world *world, const struct way *way, const char **arguments)
{
	static char hidden[2 * PATH_ROOM + 64];
	size_t at = 0;
	snprintf(hidden, sizeof(hidden), "filesystem.hidden=%s/hidden, %s/.secret", world->base, world->tree);
	arguments[at++] = world->program;
	arguments[at++] = "run";
	arguments[at++] = "-q";
	arguments[at++] = "--arm";
	arguments[at++] = way->arm;
	arguments[at++] = "--set";
	arguments[at++] = hidden;
	for (size_t i = 0; way->options[i]; i++)
		arguments[at++] = way->options[i];
	for (size_t i = 0; way->settings[i]; i++)
		arguments[at++] = way->settings[i];
	return at;
}

static bool has_session(const struct way *way)
{
	for (size_t i = 0; way->options[i]; i++)
		if (strcmp(way->options[i], "--session") == 0)
			return true;
	return false;
}

/* A session remembers how it began, so each way has one of its own. */
static const char *name_session(const struct way *way)
{
	static char name[64];
	snprintf(name, sizeof(name), "again-%s", way->name);
	for (char *at = name; *at; at++)
		if (*at == ' ' || *at == ',')
			*at = '-';
	return name;
}

static void begin(const struct world *world, const struct entry *entry, const struct way *way, const char *names,
		  const char *word, const char **arguments)
{
	static char preload[PATH_ROOM + 32], audit[PATH_ROOM + 32], report[PATH_ROOM + 32];
	size_t at = trial_begin(world, way, arguments);
	snprintf(preload, sizeof(preload), "LD_PRELOAD=%s", world->preload);
	snprintf(audit, sizeof(audit), "LD_AUDIT=%s", world->preload);
	snprintf(report, sizeof(report), "%s/report.json", world->tree);
#define ADD(text) (arguments[at++] = (text))
	if (entry->how & KEEP_DIRECTORY)
		ADD("--keep-fds"), ADD("9");
	if (entry->how & STARVES)
		ADD("--timeout"), ADD("300ms");
	if (entry->how & LIMITED && world->together)
		ADD("--set"), ADD("limits.tasks=40"), ADD("--set"), ADD("limits.memory=96M");
	else if (entry->how & LIMITED)
		ADD("--set"), ADD("limits.processes=40"), ADD("--set"), ADD("limits.address-space=96M");
	if (entry->how & LOADER)
		ADD("--env"), ADD(preload), ADD("--env"), ADD(audit);
	if (entry->how & AFTERWARDS)
		ADD("--receipt"), ADD(report);
	if (entry->how & AGAIN && !has_session(way))
		ADD("--session"), ADD(name_session(way));
	ADD("--"), ADD("./cases"), ADD("try"), ADD(names), ADD(running.token);
	ADD(word);
	ADD(NULL);
#undef ADD
}

/* A ceiling on processes counts all of the user, also those that an earlier case has not let go of yet; and the
 * machine's own may be reached for a moment by another run of these cases. */
static bool is_full(void)
{
	return WIFEXITED(running.status) && WEXITSTATUS(running.status) == 125 &&
	       strstr(running.errors, "Resource temporarily unavailable");
}

static int run_once(struct world *world, const struct entry *entry, const struct way *way, unsigned how, const char *word)
{
	const char *arguments[48];
	int result;
	begin(world, entry, way, entry->name, word, arguments);
	running.arguments = arguments;
	running.how = how;
	running.bare = running.terminal_output = false;
	running.limit = entry->how & STARVES ? ENDING : 20;
	for (int tries = 0; (result = running_do(world, &running)) == 0 && is_full() && tries < 8; tries++)
		nanosleep(&(struct timespec){ .tv_nsec = 500000000 }, NULL);
	return result;
}

/* Where the whole command may be refused, the twin is tried with what need not be. */
static int try_twin_alone(struct world *world, const struct entry *entry, const struct way *way, struct trial *trial)
{
	struct entry plain = *entry;
	plain.how &= ~(unsigned)(STDIN_DIRECTORY | STDIN_FILE | KEEP_DIRECTORY | WHOLE);
	if (run_once(world, &plain, way, plain.how, NULL) < 0)
		return -1;
	flatten(running.output, running.output_count);
	trial->attempt.twin = word_is(line_of(running.output, "twin"), "reached");
	return 0;
}

int trial_confined(struct world *world, const struct entry *entry, const struct way *way, struct trial *ret_trial)
{
	char token[16];
	struct sight before;
	struct effects effects = { "" };
	make_token(token);
	running.token = token;
	*ret_trial = (struct trial){ 0 };
	watch_look(world, &before, false);
	if (run_once(world, entry, way, entry->how, NULL) < 0)
		return -1;
	if (entry->how & AGAIN && run_once(world, entry, way, entry->how, "second") < 0)
		return -1;
	if (entry->how & AFTERWARDS) {
		static struct running first;
		first = running;
		watch_look(world, &before, true);	/* what the command did is for other cases to tell */
		trial_afterwards(world, way, &effects);
		running = first;
	}
	conclude(world, entry, &before, false, &effects, ret_trial);
	if (ret_trial->attempt.whole && entry->how & WHOLE && try_twin_alone(world, entry, way, ret_trial) < 0)
		return -1;
	if (effects.text[0] || entry->how & AFTERWARDS)
		return world_mend(world);
	return 0;
}

bool trial_can_batch(const struct entry *entry)
{
	return !(entry->how & ~(unsigned)(BY_WORD | HARMFUL | ROOT_ONLY | NO_MACHINE)) && strcmp(entry->promise, "own") != 0 &&
	       strcmp(entry->promise, "filesystem") != 0 && strcmp(entry->promise, "process_tree") != 0;
}

/* Each case's part of the output begins with its name. */
static void read_part(const struct entry *entry, struct trial *trial)
{
	char heading[96], *next;
	snprintf(heading, sizeof(heading), "case %s\n", entry->name);
	char *part = strstr(running.output, heading);
	*trial = (struct trial){ 0 };
	if (!part)
		return;
	part += strlen(heading);
	next = strstr(part, "\ncase ");
	if (next)
		*next = 0;
	read_words(entry, part, trial);
	if (next)
		*next = '\n';
	trial->attempt.effect = entry->how & BY_WORD && trial->attempt.reached;
	trial->attempt.text = trial->text;
}

bool trial_batch(struct world *world, const struct entry *const *entries, size_t count, const struct way *way,
		 struct trial *ret_trials)
{
	char token[16], names[8192] = "";
	const char *arguments[48];
	struct entry plain = { 0 };
	struct trial whole = { 0 };
	struct effects effects = { "" };
	struct sight before;
	make_token(token);
	running.token = token;
	for (size_t i = 0; i < count; i++)
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s", i ? "," : "", entries[i]->name);
	begin(world, &plain, way, names, NULL, arguments);
	running.arguments = arguments;
	running.how = 0;
	running.bare = running.terminal_output = false;
	running.limit = 120;
	plain.promise = "writes";
	watch_look(world, &before, false);
	if (running_do(world, &running) < 0)
		return false;
	conclude(world, &plain, &before, false, &effects, &whole);
	bool sound = !effects.text[0];
	for (size_t i = 0; i < count; i++) {
		read_part(entries[i], &ret_trials[i]);
		sound = sound && ret_trials[i].attempt.ran;
	}
	if (!sound)
		world_mend(world);
	return sound;
}

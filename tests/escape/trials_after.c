/* escape/trials_after.c - the host reads what a command has left: every verb that does, at a terminal and not. */
#include "config.h"

#include "trials.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#define PATIENCE 25	/* seconds for each */

static struct running running;

/* Bytes that a terminal would act on. A line ends with \r\n there; colours are pinfold's own, if it has any. */
static bool acts_on_terminal(const char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		unsigned char byte = (unsigned char)bytes[i], next = i + 1 < count ? (unsigned char)bytes[i + 1] : 0;
		if (byte == 033 && next != '[')
			return true;
		if (byte == 033 && memmem(bytes + i, count - i < 8 ? count - i : 8, "J", 1))
			return true;
		if (byte == '\r' && next != '\n' && next != '\r')
			return true;
		if (byte == '\a' || byte == '\b' || (byte == 0xc2 && next >= 0x80 && next < 0xa0))
			return true;
		if (byte == 0xe2 && next == 0x80 && i + 2 < count && (unsigned char)bytes[i + 2] == 0xae)
			return true;
	}
	return false;
}

static void do_it(struct world *world, const char *const *arguments, bool terminal, const char *what, struct effects *effects)
{
	char text[96];
	running.arguments = arguments;
	running.terminal_output = terminal;
	running.limit = PATIENCE;
	running.token = "none";
	if (running_do(world, &running) < 0)
		return;
	snprintf(text, sizeof(text), "%s: the host was held up", what);
	if (running.late)
		watch_add(effects, text);
	snprintf(text, sizeof(text), "%s: ended by a signal", what);
	if (WIFSIGNALED(running.status) && !running.late)
		watch_add(effects, text);
	snprintf(text, sizeof(text), "%s: sequences reach a terminal", what);
	if ((terminal && acts_on_terminal(running.output, running.output_count)) ||
	    acts_on_terminal(running.errors, running.errors_count))
		watch_add(effects, text);
	snprintf(text, sizeof(text), "%s: shows a secret", what);
	if (watch_finds_secret(world, running.output, running.output_count))
		watch_add(effects, text);
}

static void run_verb(struct world *world, const char *verb, const char *option, const char *session, bool terminal,
		     struct effects *effects)
{
	char what[64];
	const char *arguments[8] = { world->program, verb };
	size_t at = 2;
	if (session) {
		arguments[at++] = "--session";
		arguments[at++] = session;
	}
	if (option)
		arguments[at++] = option;
	snprintf(what, sizeof(what), "pinfold %s%s%s", verb, option ? " " : "", option ? option : "");
	do_it(world, arguments, terminal, what, effects);
}

static const char *session_of(const struct way *way)
{
	for (size_t i = 0; way->options[i]; i++)
		if (strcmp(way->options[i], "--session") == 0)
			return way->options[i + 1];
	return NULL;
}

void trial_afterwards(struct world *world, const struct way *way, struct effects *effects)
{
	const char *session = session_of(way), *arguments[32];
	run_verb(world, "diff", NULL, session, true, effects);
	run_verb(world, "diff", "--stat", session, true, effects);
	run_verb(world, "diff", "--summary", session, true, effects);
	run_verb(world, "diff", "--name-only", session, true, effects);
	run_verb(world, "diff", "--json", session, false, effects);
	run_verb(world, "sessions", NULL, NULL, true, effects);
	run_verb(world, "apply", NULL, session, true, effects);
	const char *fault = watch_tree(world);
	if (fault)
		watch_add(effects, fault);
	size_t at = trial_begin(world, way, arguments);
	arguments[at++] = "--";
	arguments[at++] = "true";
	arguments[at] = NULL;
	do_it(world, arguments, true, "the next run", effects);
	arguments[at - 1] = "no\033]0;such\007program";
	do_it(world, arguments, true, "a program that is not there", effects);
	if (session)
		run_verb(world, "discard", NULL, session, true, effects);
}

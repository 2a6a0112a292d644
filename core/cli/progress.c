/* cli/progress.c - long work before the command: how far it is, on a terminal, and signals that end it. */
#include "config.h"

#include "progress.h"
#include "signals.h"
#include "verb.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* What takes less time needs no line. */
static const uint64_t patience = 700000000, trial_patience = 1000000000;

static uint64_t now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* 12,345 */
static const char *grouped(uint64_t number, char room[32])
{
	char *at = room + 31;
	*at = '\0';
	for (int digits = 0; number > 0 || digits == 0; digits++, number /= 10) {
		if (digits > 0 && digits % 3 == 0)
			*--at = ',';
		*--at = (char)('0' + number % 10);
	}
	return at;
}

static void show_copy(uint64_t files, uint64_t bytes, uint64_t passed)
{
	char text[120], room[3][32];
	uint64_t rate = passed > 0 ? bytes * 1000 / passed : 0;	/* megabytes a second */
	snprintf(text, sizeof(text), "copying the tree: %s files, %s MB, %s MB/s", grouped(files, room[0]),
		 grouped(bytes / 1000000, room[1]), grouped(rate, room[2]));
	say_passing(text);
}

/* Those that such work cannot take notice of are left; one that stops it stops it here. */
static int next_end(void)
{
	for (int number; (number = signals_next()) != 0;) {
		if (number == SIGTSTP) {
			say_passing("");
			signals_stop_group(number);
		} else if (number != SIGCONT && number != SIGWINCH) {
			return number;
		}
	}
	return 0;
}

/* True where a signal ends it. Signals are kept from the first call on. */
static bool is_given_up(struct progress *progress)
{
	signals_keep(NULL);
	progress->signal = next_end();
	return progress->signal != 0;
}

/* How long it has taken, from the first call on. */
static uint64_t passed(uint64_t *began)
{
	if (*began == 0)
		*began = now();
	return now() - *began;
}

int progress_copy(struct progress *progress, uint64_t files, uint64_t bytes)
{
	uint64_t time = passed(&progress->copying);
	if (is_given_up(progress))
		return 1;
	if (progress->shows && time > patience)
		show_copy(files, bytes, time);
	return 0;
}

static void show_trial(const char *wrapper, uint64_t time)
{
	char text[160], *quoted = pinfold_quote(wrapper);
	if (quoted) {
		snprintf(text, sizeof(text), "trying the compiler wrapper %.40s with a throwaway build: %u s",
			 quoted, (unsigned)(time / 1000000000));
		say_passing(text);
	}
	free(quoted);
}

/* Whoever waits for another run was told so. */
int progress_try(struct progress *progress, const char *wrapper, uint32_t waits)
{
	uint64_t time = passed(&progress->trying);
	if (is_given_up(progress))
		return 1;
	if (progress->shows && !waits && time > trial_patience)
		show_trial(wrapper, time);
	return 0;
}

void progress_raise(const struct progress *progress)
{
	struct sigaction plain = { .sa_handler = SIG_DFL };
	if (progress->signal && sigaction(progress->signal, &plain, NULL) == 0)
		raise(progress->signal);
}

/* cli/copying.c - a first big copy: how far it is, on a terminal, and signals that end it. */
#include "config.h"

#include "copying.h"
#include "signals.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What takes less time needs no line. */
static const uint64_t patience = 700000000;

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

static void write_line(struct copying *copying, const char *text)
{
	char line[256];
	int columns = (int)strlen(text), more = copying->columns - columns;
	int bytes = snprintf(line, sizeof(line), "\r%s%*s", text, more > 0 ? more : 0, "");
	ssize_t ignored = write(STDERR_FILENO, line, (size_t)bytes);
	(void)ignored;
	copying->columns = columns;
}

static void show(struct copying *copying, uint64_t files, uint64_t bytes, uint64_t passed)
{
	char text[120], room[3][32];
	uint64_t rate = passed > 0 ? bytes * 1000 / passed : 0;	/* megabytes a second */
	snprintf(text, sizeof(text), "copying the tree: %s files, %s MB, %s MB/s", grouped(files, room[0]),
		 grouped(bytes / 1000000, room[1]), grouped(rate, room[2]));
	write_line(copying, text);
}

/* Those that a copy cannot take notice of are left; one that stops it stops it here. */
static int next_end(struct copying *copying)
{
	for (int number; (number = signals_next()) != 0;) {
		if (number == SIGTSTP) {
			copying_clear(copying);
			signals_stop_group(number);
		} else if (number != SIGCONT && number != SIGWINCH) {
			return number;
		}
	}
	return 0;
}

int copying_tell(struct copying *copying, uint64_t files, uint64_t bytes)
{
	uint64_t time = now();
	if (copying->began == 0) {
		copying->began = time;
		signals_keep(NULL);
	}
	copying->signal = next_end(copying);
	if (copying->signal)
		return 1;
	if (copying->shows && time - copying->began > patience)
		show(copying, files, bytes, time - copying->began);
	return 0;
}

void copying_clear(struct copying *copying)
{
	if (copying->columns == 0)
		return;
	write_line(copying, "");
	write_line(copying, "");
}

void copying_raise(const struct copying *copying)
{
	struct sigaction plain = { .sa_handler = SIG_DFL };
	if (copying->signal && sigaction(copying->signal, &plain, NULL) == 0)
		raise(copying->signal);
}

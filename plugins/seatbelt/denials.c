/* plugins/seatbelt/denials.c - the helper that streams the system's log, and reading it up to a fence. */
#include "denials.h"

#include "compile.h"
#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LINE_MOST = 8192 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct helper helper = HELPER_NONE;
static int fence_milliseconds = 3000;
static char line[LINE_MOST];
static size_t line_bytes;
static unsigned fences;

/* Refusals of this process's runs that were read and not handed over yet. */
static struct waiting {
	char mark[80];
	struct denial denial;
} waiting[DENIALS_MOST];
static size_t waiting_count, lost;

void denials_from(const char *program, int milliseconds)
{
	helper_from(program);
	fence_milliseconds = milliseconds;
}

const char *denials_start(const struct pinfold_host *host, const struct calls *calls)
{
	pthread_mutex_lock(&lock);
	const char *trouble = helper_start(host, calls, &helper);
	pthread_mutex_unlock(&lock);
	return trouble;
}

void denials_stop(void)
{
	pthread_mutex_lock(&lock);
	helper_stop(&helper);
	line_bytes = waiting_count = 0;
	pthread_mutex_unlock(&lock);
}

/* Any of this process's marks: each begins with what comes before its last part. */
static void keep(const char *text)
{
	struct waiting row;
	const char *mark = strstr(text, "pinfold.run.");
	size_t length = mark ? strcspn(mark, ": \"\\") : 0;
	if (length == 0 || length >= sizeof(row.mark))
		return;
	memcpy(row.mark, mark, length);
	row.mark[length] = '\0';
	if (!denials_parse(text, row.mark, &row.denial))
		return;
	if (waiting_count == DENIALS_MOST)
		lost++;
	else
		waiting[waiting_count++] = row;
}

/* Takes whole lines out of what was read; true when one of them is the fence. */
static bool take_lines(const char *fence)
{
	bool reached = false;
	char *end;
	while ((end = memchr(line, '\n', line_bytes))) {
		size_t taken = (size_t)(end - line) + 1;
		*end = '\0';
		reached |= strstr(line, fence) != NULL;
		keep(line);
		memmove(line, line + taken, line_bytes - taken);
		line_bytes -= taken;
	}
	if (line_bytes == sizeof(line))	/* longer than any of the kernel's */
		line_bytes = 0;
	return reached;
}

static long long milliseconds_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static const char *read_to(const char *fence)
{
	long long until = milliseconds_now() + fence_milliseconds;
	for (;;) {
		long long left = until - milliseconds_now();
		struct pollfd watched = { helper.output, POLLIN, 0 };
		if (left <= 0)
			return "the system's log did not come to the run's end in time";
		int ready = poll(&watched, 1, (int)left);
		if (ready < 0 && errno != EINTR)
			return "the system's log cannot be read";
		if (ready <= 0)
			continue;
		ssize_t got = read(helper.output, line + line_bytes, sizeof(line) - line_bytes);
		if (got == 0 || (got < 0 && errno != EINTR)) {
			helper_stop(&helper);
			return "the helper that reads the system's log has ended: administrators alone may read it";
		}
		line_bytes += got > 0 ? (size_t)got : 0;
		if (take_lines(fence))
			return NULL;
	}
}

_Noreturn static void provoke(const struct calls *calls, const struct policy_arguments *profile)
{
	int result = calls_apply(calls, profile);
	_exit(result < 0 || calls->signal_process(getppid(), 0) == 0 ? 1 : 0);
}

/* A child asks for something that its profile refuses with the fence as message. */
static const char *set_fence(const struct pinfold_host *host, const struct calls *calls, const char *fence)
{
	struct profile profile = { .host = host };
	struct bytecode bytecode;
	struct policy_arguments arguments;
	struct pinfold_error err = { 0 };
	int status = -1;
	profile_add(&profile, "(version 1)\n(deny default (with message (param \"FENCE\")))\n");
	profile_parameter(&profile, "FENCE", fence);
	if (profile.failed || compile(host, calls, &profile, &bytecode, &err) < 0)
		return "the end of the run cannot be marked in the system's log";
	calls_profile_arguments(&arguments, bytecode.data, bytecode.size);
	pid_t child = calls->fork_process();
	if (child == 0)
		provoke(calls, &arguments);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	compile_release(&bytecode);
	return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ?
		       NULL : "the end of the run cannot be marked in the system's log";
}

/* The lock is held. */
static void hand_over(const struct pinfold_host *host, const char *mark,
		      void (*tell)(const struct pinfold_host *, const struct denial *))
{
	size_t kept = 0;
	for (size_t i = 0; i < waiting_count; i++) {
		if (strcmp(waiting[i].mark, mark) == 0)
			tell(host, &waiting[i].denial);
		else
			waiting[kept++] = waiting[i];
	}
	waiting_count = kept;
}

const char *denials_collect(const struct pinfold_host *host, const struct calls *calls, const struct marker *marker,
			    void (*tell)(const struct pinfold_host *, const struct denial *))
{
	const char *trouble = "the helper that reads the system's log does not run";
	char fence[128];
	pthread_mutex_lock(&lock);
	/* Not a mark of a run: nothing of it is kept. */
	snprintf(fence, sizeof(fence), "pinfold.fence.%s.%u", marker->name, ++fences);
	if (helper.output >= 0) {
		trouble = set_fence(host, calls, fence);
		trouble = trouble ? trouble : read_to(fence);
	}
	hand_over(host, marker->name, tell);
	if (!trouble && lost > 0)
		trouble = "there were more refusals than are kept";
	lost = 0;
	pthread_mutex_unlock(&lock);
	return trouble;
}

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

/* A run that is listened for. */
struct hearing {
	struct hearing *next;
	char mark[80];
	struct denial *rows;
	size_t count, room;
	bool lost;	/* there were more than are kept */
};
static struct hearing *hearings;
static bool cut;	/* the rest of a line is still to come of which nothing is believed */

void denials_from(const char *program, int milliseconds)
{
	helper_from(program);
	fence_milliseconds = milliseconds;
}

const char *denials_start(const struct pinfold_host *host, const struct calls *calls, const struct marker *marker,
			  struct hearing **ret_hearing)
{
	struct hearing *hearing = calloc(1, sizeof(*hearing));
	if (!hearing)
		return "memory is gone";
	memcpy(hearing->mark, marker->name, sizeof(hearing->mark));
	pthread_mutex_lock(&lock);
	bool ran = helper.output >= 0 && helper.owner == getpid();
	const char *trouble = helper_start(host, calls, &helper);
	if (!ran)	/* of another helper, or another process */
		line_bytes = cut = 0;
	if (!trouble) {
		hearing->next = hearings;
		hearings = hearing;
	}
	pthread_mutex_unlock(&lock);
	if (trouble)
		free(hearing);
	else
		*ret_hearing = hearing;
	return trouble;
}

void denials_forget(struct hearing *hearing)
{
	if (!hearing)
		return;
	pthread_mutex_lock(&lock);
	struct hearing **at = &hearings;
	while (*at && *at != hearing)
		at = &(*at)->next;
	if (*at)
		*at = hearing->next;
	pthread_mutex_unlock(&lock);
	free(hearing->rows);
	free(hearing);
}

void denials_stop(void)
{
	pthread_mutex_lock(&lock);
	helper_stop(&helper);
	pthread_mutex_unlock(&lock);
}

static bool is_same(const struct denial *one, const struct denial *other)
{
	return strcmp(one->operation, other->operation) == 0 && strcmp(one->about, other->about) == 0;
}

static bool make_room(struct hearing *hearing)
{
	if (hearing->count < hearing->room)
		return true;
	size_t room = hearing->room ? 2 * hearing->room : 8;
	struct denial *rows = hearing->count < DENIALS_MOST ? realloc(hearing->rows, room * sizeof(*rows)) : NULL;
	if (!rows)
		return false;
	hearing->rows = rows;
	hearing->room = room;
	return true;
}

static void remember(struct hearing *hearing, const struct denial *denial)
{
	for (size_t i = 0; i < hearing->count; i++) {
		if (!is_same(&hearing->rows[i], denial))
			continue;
		hearing->rows[i].count++;
		return;
	}
	if (!make_room(hearing))
		hearing->lost = true;
	else
		hearing->rows[hearing->count++] = *denial;
}

static void keep(const char *text)
{
	struct denial denial;
	for (struct hearing *hearing = hearings; hearing; hearing = hearing->next)
		if (denials_parse(text, hearing->mark, &denial)) {
			remember(hearing, &denial);
			return;
		}
}

/* Takes whole lines out of what was read; true when one of them is the fence. */
static bool take_lines(const char *fence)
{
	bool reached = false;
	char *end;
	while ((end = memchr(line, '\n', line_bytes))) {
		size_t taken = (size_t)(end - line) + 1;
		*end = '\0';
		reached |= !cut && strstr(line, fence) != NULL;
		if (!cut)
			keep(line);
		cut = false;
		memmove(line, line + taken, line_bytes - taken);
		line_bytes -= taken;
	}
	if (line_bytes == sizeof(line)) {	/* longer than any of the kernel's */
		cut = true;
		line_bytes = 0;
	}
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
		if (left <= 0) {	/* no other run is to wait for it as long */
			helper_stop(&helper);
			return "the system's log did not come to the run's end in time";
		}
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

const char *denials_collect(const struct pinfold_host *host, const struct calls *calls, struct hearing *hearing,
			    void (*tell)(void *context, const struct denial *), void *context)
{
	const char *trouble = "the helper that reads the system's log does not run any more";
	char fence[128];
	pthread_mutex_lock(&lock);
	/* Not a mark of a run: nothing of it is kept. */
	snprintf(fence, sizeof(fence), "pinfold.fence.%s.%u.", hearing->mark, ++fences);
	if (helper.output >= 0 && helper.owner == getpid()) {
		trouble = set_fence(host, calls, fence);
		trouble = trouble ? trouble : read_to(fence);
	}
	for (size_t i = 0; i < hearing->count; i++)
		tell(context, &hearing->rows[i]);
	if (!trouble && hearing->lost)
		trouble = "there were more refusals than are kept";
	pthread_mutex_unlock(&lock);
	return trouble;
}

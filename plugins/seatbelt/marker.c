/* plugins/seatbelt/marker.c - slots for marks, and the search for who bears one. */
#include "marker.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum state { FREE = 0, TAKEN, RETIRED };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char slots[MARKER_SLOTS];
static char secret[33];	/* of this process's names */
static pid_t owner;	/* a fork must not share them */

static int make_secret(void)
{
	unsigned char bytes[16];
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes));
	if (fd >= 0)
		close(fd);
	if (got != (ssize_t)sizeof(bytes))
		return -1;
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(secret + 2 * i, 3, "%02x", bytes[i]);
	memset(slots, 0, sizeof(slots));
	owner = getpid();
	return 0;
}

/* The lock is held. */
static int take_slot(void)
{
	if (owner != getpid() && make_secret() < 0)
		return -1;
	for (int slot = 0; slot < MARKER_SLOTS; slot++) {
		if (slots[slot] != FREE)
			continue;
		slots[slot] = TAKEN;
		return slot;
	}
	errno = EAGAIN;
	return -1;
}

int marker_take(const struct pinfold_host *host, struct marker *ret_marker, struct pinfold_error *err)
{
	pthread_mutex_lock(&lock);
	int slot = take_slot(), sys = errno;
	if (slot >= 0) {
		ret_marker->slot = slot;
		ret_marker->owner = owner;
		snprintf(ret_marker->name, sizeof(ret_marker->name), "pinfold.run.%s.%d", secret, slot);
		snprintf(ret_marker->other, sizeof(ret_marker->other), "pinfold.run.%s.none", secret);
		snprintf(ret_marker->expression, sizeof(ret_marker->expression), "^pinfold[.]run[.]%s[.]", secret);
	}
	pthread_mutex_unlock(&lock);
	if (slot >= 0)
		return 0;
	return host->fail(err, PINFOLD_E_SANDBOX_DENIED, sys, "mark a run", "its processes could not be found again",
			  "end other runs of this process, or start another");
}

static void leave(struct marker *marker, enum state state)
{
	pthread_mutex_lock(&lock);
	if (marker->slot >= 0 && marker->owner == getpid())	/* a copy of the process has slots of its own */
		slots[marker->slot] = (unsigned char)state;
	pthread_mutex_unlock(&lock);
	marker->slot = -1;
}

void marker_free(struct marker *marker)
{
	leave(marker, FREE);
}

void marker_retire(struct marker *marker)
{
	leave(marker, RETIRED);
}

void marker_parameters(const struct marker *marker, struct profile *profile)
{
	profile_parameter(profile, PARAMETER_MARK, marker->name);
	profile_parameter(profile, PARAMETER_MARKS, marker->expression);
	for (unsigned kind = 0; profile->reports && kind < RULE_KINDS; kind++) {
		const struct pinfold_host *host = profile->host;
		const char *name = host->print(host, "%s%s", PARAMETER_MESSAGE, rule_kind_name(kind));
		const char *message = host->print(host, "%s:%s", marker->name, rule_kind_name(kind));
		if (!name || !message)
			profile->failed = true;
		else
			profile_parameter(profile, name, message);
	}
}

static bool may_ask(const struct calls *calls, pid_t process, const char *name)
{
	return calls->check(process, "mach-lookup", CHECK_GLOBAL_NAME | CHECK_NO_REPORT, name) == 0;
}

/* Who is not confined may ask for any name, and is told from the run by one that nobody bears. */
bool marker_borne(const struct calls *calls, const struct marker *marker, pid_t process)
{
	return may_ask(calls, process, marker->name) &&
	       calls->check(process, "mach-lookup", CHECK_GLOBAL_NAME | CHECK_NO_REPORT, marker->other) == 1;
}

/* All processes of the machine; the caller frees them. */
static pid_t *list_all(const struct calls *calls, int *ret_count)
{
	int room = calls->list_processes(NULL, 0);
	if (room <= 0)
		return NULL;
	room += room / 2 + 64;
	pid_t *processes = calloc((size_t)room, sizeof(*processes));
	int count = processes ? calls->list_processes(processes, room * (int)sizeof(*processes)) : -1;
	if (count <= 0) {
		free(processes);
		return NULL;
	}
	*ret_count = count < room ? count : room;
	return processes;
}

/* How many were found and ended; -1 when they could not be listed. */
static int one_round(const struct calls *calls, const struct marker *marker)
{
	int count = 0, ended = 0;
	pid_t *processes = list_all(calls, &count);
	if (!processes)
		return -1;
	for (int i = 0; i < count; i++) {
		if (processes[i] <= 1 || processes[i] == getpid() || !marker_borne(calls, marker, processes[i]))
			continue;
		calls->signal_process(processes[i], SIGKILL);
		ended++;
	}
	free(processes);
	return ended;
}

int marker_end_all(const struct calls *calls, const struct marker *marker)
{
	int ended = 0;
	for (int round = 0; round < MARKER_ROUNDS; round++) {
		int found = one_round(calls, marker);
		if (found < 0)
			return -1;
		if (found == 0)
			return ended;
		ended += found;
		/* The kernel needs a moment for those that were ended. */
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 + 500000L * round }, NULL);
	}
	return -1;
}

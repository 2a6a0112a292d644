/* macos/members.c - finding and ending what is left of a run. What has left both group and session is the arm's to
 * find. */
#include "config.h"

#include "macos/members.h"

#include <errno.h>
#include <libproc.h>
#include <poll.h>
#include <stdlib.h>

static bool is_member(pid_t process, pid_t group, bool own_session)
{
	return process > 1 && process != getpid() &&
	       (getpgid(process) == group || (own_session && getsid(process) == group));
}

enum { ZOMBIE = 5 };	/* SZOMB of sys/proc.h */

/* Those that are no zombies: nobody waits for what launchd has. */
static bool is_alive(pid_t process)
{
	struct proc_bsdshortinfo about;
	return proc_pidinfo(process, PROC_PIDT_SHORTBSDINFO, 0, &about, sizeof(about)) == sizeof(about) &&
	       about.pbsi_status != ZOMBIE;
}

static uint32_t one_round(pid_t group, bool own_session)
{
	uint32_t found = 0;
	int room = proc_listallpids(NULL, 0) + 64;
	pid_t *processes = calloc((size_t)room, sizeof(*processes));
	int count = processes ? proc_listallpids(processes, room * (int)sizeof(*processes)) : 0;
	for (int i = 0; i < count && i < room; i++)
		if (is_member(processes[i], group, own_session) && is_alive(processes[i])) {
			kill(processes[i], SIGKILL);
			found++;
		}
	free(processes);
	return found;
}

uint32_t members_end(pid_t group, bool own_session, uint32_t *ret_left)
{
	uint32_t first = one_round(group, own_session), left = first;
	for (int round = 1; left > 0 && round < MEMBERS_ROUNDS; round++) {
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
		left = one_round(group, own_session);
	}
	*ret_left = left;
	return first;
}

pid_t members_watch(pid_t group, int lifeline)
{
	pid_t watcher = fork();
	if (watcher != 0)
		return watcher;
	struct pollfd watched = { lifeline, POLLIN, 0 };
	setsid();
	for (int fd = 0, most = getdtablesize(); fd < most; fd++)
		if (fd != lifeline)
			close(fd);
	while (poll(&watched, 1, -1) < 0 && errno == EINTR)
		;
	kill(-group, SIGKILL);
	_exit(0);
}

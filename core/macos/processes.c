/* macos/processes.c - the processes of this machine, as far as the caller may look. */
#include "config.h"

#include "cage/processes.h"

#include <libproc.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/sysctl.h>

enum { BEGUN_TICKS = 1000000 };	/* what a start is counted in here: microseconds */

static bool look(pid_t pid, struct process *ret_process)
{
	struct proc_bsdinfo about;
	if (proc_pidinfo(pid, PROC_PIDTBSDINFO, 0, &about, sizeof(about)) != sizeof(about))
		return false;
	*ret_process = (struct process){ .pid = pid, .parent = (pid_t)about.pbi_ppid,
					 .ticks = about.pbi_start_tvsec * BEGUN_TICKS + about.pbi_start_tvusec };
	return true;
}

int processes_read(struct process **ret_processes, size_t *ret_count)
{
	int room = proc_listallpids(NULL, 0) + 64;
	pid_t *pids = calloc((size_t)room, sizeof(*pids));
	struct process *processes = calloc((size_t)room, sizeof(*processes));
	int found = pids && processes ? proc_listallpids(pids, room * (int)sizeof(*pids)) : -1;
	size_t count = 0;
	for (int i = 0; i < found && i < room; i++)
		count += look(pids[i], &processes[count]);
	free(pids);
	if (found < 0) {
		free(processes);
		return -1;
	}
	*ret_processes = processes;
	*ret_count = count;
	return 0;
}

/* The number of arguments, the program's path, then arguments and environment, each ended by a NUL. */
static char *arguments_of(pid_t pid, size_t *ret_bytes, char **ret_first, int *ret_count)
{
	int query[] = { CTL_KERN, KERN_PROCARGS2, pid };
	size_t bytes = 0;
	if (sysctl(query, 3, NULL, &bytes, NULL, 0) < 0)
		return NULL;
	char *all = calloc(1, bytes + 1);
	if (!all || sysctl(query, 3, all, &bytes, NULL, 0) < 0 || bytes < sizeof(int)) {
		free(all);
		return NULL;
	}
	char *at = all + sizeof(int), *end = all + bytes;
	memcpy(ret_count, all, sizeof(int));
	at += strnlen(at, (size_t)(end - at));
	while (at < end && !*at)
		at++;
	*ret_first = at;
	*ret_bytes = bytes;
	return all;
}

bool process_run(pid_t pid, char *room, size_t bytes)
{
	static const char name[] = "PINFOLD_RUN=";
	size_t all_bytes;
	int count;
	char *at, *all = arguments_of(pid, &all_bytes, &at, &count);
	bool found = false;
	for (char *end = all ? all + all_bytes : NULL; all && !found && at < end; at += strlen(at) + 1, count--) {
		if (count > 0 || strncmp(at, name, sizeof(name) - 1) != 0)
			continue;
		found = strlen(at + sizeof(name) - 1) < bytes;
		if (found)
			strcpy(room, at + sizeof(name) - 1);
	}
	free(all);
	return found;
}

char *process_command(pid_t pid)
{
	size_t bytes;
	int count;
	char *first, *all = arguments_of(pid, &bytes, &first, &count);
	if (!all || first >= all + bytes) {
		free(all);
		return NULL;
	}
	char *at = first, *end = all + bytes;
	for (; count > 1 && at < end; count--) {
		at += strlen(at);
		if (at + 1 < end)
			*at = ' ';
	}
	char *line = strdup(first);
	free(all);
	return line;
}

char *process_directory(pid_t pid)
{
	struct proc_vnodepathinfo about;
	if (proc_pidinfo(pid, PROC_PIDVNODEPATHINFO, 0, &about, sizeof(about)) != sizeof(about))
		return NULL;
	return strndup(about.pvi_cdir.vip_path, sizeof(about.pvi_cdir.vip_path));
}

/* cage/processes.h - the processes of this machine, as far as the caller may look. */
#ifndef CAGE_PROCESSES_H
#define CAGE_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct process {
	pid_t pid, parent;
	uint64_t ticks;	/* when it began, since the boot, in clock ticks */
	bool below;	/* it descends from the one that was asked about */
};

/* All of them; to be freed. Those that come or go meanwhile may be there or not. -1 with errno. */
int processes_read(struct process **ret_processes, size_t *ret_count);
const struct process *processes_find(const struct process *processes, size_t count, pid_t pid);
/* Marks those that descend from this one, which does not itself: how many. */
size_t processes_mark(struct process *processes, size_t count, pid_t ancestor);

/* The value of PINFOLD_RUN in a process's environment: true where it has one that fits. */
bool process_run(pid_t pid, char *room, size_t bytes);
/* Its command line, words parted by blanks, and its working directory; to be freed, NULL where unknown. */
char *process_command(pid_t pid);
char *process_directory(pid_t pid);

#endif

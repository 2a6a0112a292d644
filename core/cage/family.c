/* cage/family.c - which of this machine's processes descend from one, whatever the system lists them by. */
#include "config.h"

#include "cage/processes.h"

const struct process *processes_find(const struct process *processes, size_t count, pid_t pid)
{
	for (size_t i = 0; i < count; i++)
		if (processes[i].pid == pid)
			return &processes[i];
	return NULL;
}

/* Numbers go round, so a child may come before its parent: again, until nothing is found any more. */
size_t processes_mark(struct process *processes, size_t count, pid_t ancestor)
{
	size_t marked = 0;
	for (bool more = true; more;) {
		more = false;
		for (size_t i = 0; i < count; i++) {
			const struct process *parent = processes[i].parent == ancestor ? NULL :
				processes_find(processes, count, processes[i].parent);
			bool below = processes[i].parent == ancestor || (parent && parent->below);
			if (!below || processes[i].below)
				continue;
			processes[i].below = more = true;
			marked++;
		}
	}
	return marked;
}

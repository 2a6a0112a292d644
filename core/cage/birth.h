/* cage/birth.h - what the host prepares, and the new tasks read and write, between clone and exec.
 *
 * The supervisor-to-be and the command's task share the host's memory until each executes its
 * program, so that their birth costs the same however large the host is. They run on stacks of their
 * own beside the host's thread, whose errno they share: they make raw system calls only.
 */
#ifndef CAGE_BIRTH_H
#define CAGE_BIRTH_H

#include "cage/away.h"
#include "cage/child.h"
#include "cage/handed.h"

#include <stdbool.h>
#include <stdint.h>

/* The tasks run on stacks that the address sanitizer does not know. */
#define IN_CHILD __attribute__((no_sanitize("address", "undefined")))

enum { BIRTH_STACK = 256 * 1024 };

/* What the host says to the supervisor's task, on its socket, and that to the command's. */
enum birth_order { BIRTH_WAIT = 0, BIRTH_GO_ON, BIRTH_GIVE_UP, BIRTH_MAPPED, BIRTH_AHEAD, BIRTH_LAY };

struct birth {
	const struct pinfold_arm *arm;	/* where the stage AHEAD is to be entered, else NULL */
	bool ahead;		/* it is to be entered at once, without an order */
	const struct pinfold_plan *plan;
	const struct launch *launch;	/* known once the host orders to lay, or to go on; whole with the latter */
	uint64_t namespaces;	/* without the network's, which the command's task makes */
	uint64_t beside;	/* of these, what the supervisor makes itself, beside the host */
	bool own_network;
	bool foreground;	/* the command's group gets the terminal at once */
	int streams[3];		/* copies, numbered past what is overwritten */
	int control;		/* the supervisor's end */
	int terminal;		/* a copy, or -1 */
	bool own_terminal;	/* it is the command's own */
	int watch;		/* of the launch, to be kept for the command's task; 0: none */
	int group;		/* the same, of the launch's cgroup */
	int init_program;	/* pinfold-init, opened */
	const int *kept;	/* of the launch */
	const int *inherit;	/* of the plan */
	bool mapped_by_host;	/* the host writes the maps of ids, and says so */
	struct handed *handed;	/* to be opened anew in the mount namespace */
	size_t handed_count;
	char map[3][40];	/* what goes into setgroups, uid_map, gid_map */
	char *command_stack;	/* its top */
	struct away host;	/* where it runs, beside which the supervisor is to run */
	char pid_texts[1 + DOORS_MOST][16];	/* the command's, and the doors' */

	/* Written by the tasks. */
	bool given_up;	/* by the host, before anything was made */
	uint32_t failed_step;
	int32_t failed_sys;
	int supervisor;		/* its pid as the command's task sees it */
	const char *not_handed;	/* the file that could not be opened anew */
	int command;		/* the command's pid as the supervisor sees it */
	int doors[DOORS_MOST];	/* the same of what listens in place of helpers; 0: none */
	int command_task;	/* not 0 while the command's task shares this memory */
	int supervisor_task;	/* the same of the supervisor's */
	uint32_t network_done;	/* 1 when its network is made, or the birth failed */
	uint32_t launched;	/* enum birth_order, to the command's task: it is known what will confine it */
	uint32_t go;		/* the same: the view is laid, and all of the launch is known */
};

/* The first function of the new supervisor; its argument is the birth. */
int birth_supervisor(void *birth);
/* Waits until a task has left the shared memory: `task` is one of the two above. */
void birth_wait(int *task);

#endif

/* cage/birth.h - what the host prepares, and the new tasks read and write, between clone and exec.
 *
 * The supervisor-to-be and the command's task share the host's memory until each executes its
 * program, so that their birth costs the same however large the host is. They run on stacks of their
 * own while the host's thread is suspended, and make system calls only.
 */
#ifndef CAGE_BIRTH_H
#define CAGE_BIRTH_H

#include "cage/child.h"

#include <stdint.h>

enum { BIRTH_STACK = 256 * 1024 };

struct birth {
	const struct launch *launch;
	uint64_t namespaces;	/* without the network's, which the command's task makes */
	bool own_network;
	bool foreground;	/* the command's group gets the terminal at once */
	int streams[3];		/* copies, numbered past what is overwritten */
	int control;		/* the supervisor's end */
	int terminal;		/* a copy, or -1 */
	int init_program;	/* pinfold-init, opened */
	char map[3][40];	/* what goes into setgroups, uid_map, gid_map */
	char *command_stack;	/* its top */
	char pid_text[16];

	/* Written by the tasks. */
	uint32_t failed_step;
	int32_t failed_sys;
	int command;		/* the command's pid as the supervisor sees it */
	int command_task;	/* not 0 while the command's task shares this memory */
	uint32_t network_done;	/* 1 when its network is made, or the birth failed */
	uint32_t go;		/* 1: the view is laid, 2: give up */
};

/* The first function of the new supervisor; its argument is the birth. */
int birth_supervisor(void *birth);
/* Waits until the command's task has left the shared memory. */
void birth_wait_for_command(struct birth *birth);

#endif

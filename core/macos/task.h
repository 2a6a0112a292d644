/* macos/task.h - what a new task does until it is the command. */
#ifndef MACOS_TASK_H
#define MACOS_TASK_H

#include "cage/child.h"

#include <sys/types.h>

/* Which step failed, with its errno; on a pipe that the exec closes. */
struct task_word {
	uint32_t step;
	int32_t sys;
};

struct task {
	const struct launch *launch;
	int streams[3];		/* copies, numbered past what is overwritten */
	int status;		/* the pipe's end, numbered likewise */
	int descriptors;	/* as many as can be open */
	bool foreground;	/* its group gets the terminal at once */
};

/* In the new task, a fork of one thread of many: system calls only. */
_Noreturn void task_become(const struct task *task);

#endif

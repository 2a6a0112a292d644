/* cage/handle.h - what the host holds of a child. */
#ifndef CAGE_HANDLE_H
#define CAGE_HANDLE_H

#include "cage/child.h"

struct child {
	int control;		/* the host's end; -1 when the supervisor is gone */
	int supervisor_fd;	/* a pidfd */
	pid_t supervisor;
	int terminal;		/* the caller's, a copy; -1 for none */
	bool own_terminal;	/* the command's is its own: never given, nor taken back */
	bool in_front;		/* the command's group was given the terminal */
	bool over;
	uint64_t end_by;	/* when the supervisor that was told to end everything is ended itself; 0: not told */
	struct child_event last;	/* once over */
	char nonce[96];		/* "PINFOLD_RUN=…" of its environment, or "" */
};

#endif

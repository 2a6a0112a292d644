/* cage/listener.h - the one who listens to what the filter of a command asks (seccomp's user notification): a thread that
 * gets the descriptor from the child, and has each call answered.
 *
 * There is one for a child at most, for the kernel lets one filter above a process have a listener. A call that is not
 * answered is refused by the kernel, as unknown, once the listener has gone: it never goes on by itself.
 */
#ifndef CAGE_LISTENER_H
#define CAGE_LISTENER_H

#include "base/asked.h"

enum { LISTENER_GO_ON = 1 };	/* the kernel does the call as it was made */

/* LISTENER_GO_ON, 0 for a call that was done for the command, or a negative errno for it. */
typedef long listener_answer(void *context, const struct pinfold_asked *asked);

struct listening {
	listener_answer *answer;
	void *context;
	bool bare;	/* the thread has no capability from the beginning, and gets none back */
};

struct listener;

int listener_begin(const struct listening *listening, struct listener **ret_listener, struct pinfold_error *err);
/* The end that a child gets, 10 or more; -1 where no other child will get it. */
int listener_child_end(const struct listener *listener);
/* The child has it, or there will be none. */
void listener_started(struct listener *listener);
/* Waits until nothing is left that could ask, no longer than it takes where `all_ended`, and else not at all. NULL, or why
 * not everything was heard. NULL for a listener does nothing. */
const char *listener_end(struct listener *listener, bool all_ended);

#endif

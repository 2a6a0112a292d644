/* cage/watch.h - what a command tries: calls that name a file, a program or an address, told by the kernel before it
 * does them. Nothing is judged here, and every call goes on as it was made, but for those that the arm refuses whatever
 * they say.
 *
 * A second filter of the command's has the kernel ask a thread of ours (seccomp's user notification). What a call
 * points to is read before the kernel reads it, so a program that wants to can show something else.
 */
#ifndef CAGE_WATCH_H
#define CAGE_WATCH_H

#include <pinfold/arm.h>
#include <stdbool.h>
#include <stdint.h>

enum watch_kind {
	WATCH_READ = 0, WATCH_WRITE,	/* open it so */
	WATCH_MAKE,	/* open and make it where it is not there, make a directory … */
	WATCH_REPLACE,	/* remove it, rename it, or put something in its place */
	WATCH_CHANGE,	/* its mode, owner, times, attributes, length */
	WATCH_EXECUTE,
	WATCH_CONNECT,	/* to a unix socket's path, or (`network`) an address */
	WATCH_CALL	/* the arm refuses the call as a whole: it is refused here */
};

/* One attempt. Texts live while it is told. */
struct attempt_seen {
	enum watch_kind kind;
	const char *call;	/* the system call's name */
	const char *target;	/* a path without links as the command sees it, "@NAME" of an abstract socket, "ADDRESS:PORT" */
	bool network, loopback, abstract;	/* of WATCH_CONNECT */
	bool there;		/* something of this name is there, in the command's sight */
	uint16_t port;
	const char *lift;	/* of WATCH_CALL: what would let it through */
};

typedef void watch_tell(void *context, const struct attempt_seen *seen);

struct watch;

/* Begins to listen; `tell` is called by a thread of its own until watch_end. */
int watch_begin(watch_tell *tell, void *context, struct watch **ret_watch, struct pinfold_error *err);
/* Before a child is launched: the calls that its arm leaves to be refused here (pinfold_plan.told). */
void watch_refuse(struct watch *watch, const struct pinfold_plan *plan);
/* The end that a child gets (launch.watch); -1 for no watch. */
int watch_child_end(const struct watch *watch);
/* The child has it, or there will be none. */
void watch_started(struct watch *watch);
/* Waits until nothing is left that could try anything; no longer than it takes where `all_ended`. NULL, or why not
 * everything was told. NULL for a watch does nothing. */
const char *watch_end(struct watch *watch, bool all_ended);

/* In the child, by system calls alone: installs the filter and sends what it listens with. 0, or a negative errno;
 * where it cannot listen it says why, and the command is not watched. */
long watch_install(int child_end, const struct pinfold_plan *plan);

#endif

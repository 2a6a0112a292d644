/* cage/watch.h - what a command tries, told by the kernel before it does it: calls that name a file, a program or an
 * address. Where somebody wants to know they are looked at, and go on as they were made, but for those that the arm
 * refuses; and those that an arm answers itself it is asked about. Nothing is judged here.
 *
 * A second filter of the command's has the kernel ask (cage/listener.h); where nothing is to be told the arm's own has.
 * What a call points to is read before the kernel reads it, so a program that wants to can show something else.
 */
#ifndef CAGE_WATCH_H
#define CAGE_WATCH_H

#include <pinfold/arm.h>
#include <stdbool.h>
#include <stdint.h>

struct sock_fprog;

enum watch_kind {
	WATCH_READ = 0, WATCH_WRITE,	/* open it so */
	WATCH_MAKE,	/* open and make it where it is not there, make a directory … */
	WATCH_REPLACE,	/* remove it, rename it, or put something in its place */
	WATCH_CHANGE,	/* its mode, owner, times, attributes, length */
	WATCH_EXECUTE,
	WATCH_CONNECT,	/* to a unix socket's path, or (`network`) an address; or send there */
	WATCH_CALL,	/* the arm refuses the call as a whole: it is refused here */
	WATCH_LISTEN	/* take an address of the network's, to be reached by others */
};

/* One attempt. Texts live while it is told. */
struct attempt_seen {
	enum watch_kind kind;
	const char *call;	/* the system call's name */
	const char *target;	/* a path without links as the command sees it, "@NAME" of an abstract socket, "ADDRESS:PORT" */
	bool network, loopback, abstract;	/* of these two */
	bool there;		/* something of this name is there, in the command's sight */
	uint16_t port;
	const char *lift;	/* of WATCH_CALL: what would let it through */
};

typedef void watch_tell(void *context, const struct attempt_seen *seen);

struct watch;

/* Begins to listen; `tell` is called by a thread of its own until watch_end. NULL: nothing is looked at. No watch comes of
 * it where the system tells nobody of what commands try: only an arm can then say what it refused. */
int watch_begin(watch_tell *tell, void *context, struct watch **ret_watch, struct pinfold_error *err);
/* Before a child is launched: the calls that its arm answers, and those that it leaves to be refused here. The plan must
 * stay until another, or NULL, has taken its place. */
void watch_plan(struct watch *watch, const struct pinfold_plan *plan);
/* The end that a child gets (launch.watch); -1 for no watch. */
int watch_child_end(const struct watch *watch);
/* The filter that it lays (launch.watch_filter), of the plan; NULL: none, for the arm's own has the listener. */
const struct sock_fprog *watch_filter(const struct watch *watch);
/* The child has it, or there will be none. */
void watch_started(struct watch *watch);
/* Waits until nothing is left that could try anything; no longer than it takes where `all_ended`. NULL, or why not
 * everything was told. NULL for a watch does nothing. */
const char *watch_end(struct watch *watch, bool all_ended);

#endif

/* tests/walk.h - an act is done again and again, and each time another of its system calls fails, or is the
 * last thing that it does.
 *
 *	static int act(void *context) { … return place_once(0) ? 0 : -1; }
 *	static const struct walk walk = { .prepare = make_the_scene, .act = act, .check = look_at_it };
 *	walk_run(&walk, NULL);
 *
 * `act` runs in a child under ptrace, so it may be any function of the core or an execve of the command,
 * with threads and children. It should make the same calls each time: one thread (copy.threads=1), and a
 * scene that `prepare` makes anew. What it needs to know of faults it cannot: that is `check`'s part, in
 * the test's own process. Call walk_tell() in the test's tear-down: it says at which fault a test failed.
 */
#ifndef TESTS_WALK_H
#define TESTS_WALK_H

#include <stdbool.h>

enum walk_end {
	WALK_SUCCEEDED = 0,	/* act returned 0, or its program ended with 0 */
	WALK_FAILED,
	WALK_KILLED
};

/* One fault. */
struct walked {
	unsigned call;		/* counted from 0 among those that can fail */
	const char *name;	/* of the system call */
	int failure;		/* errno, or 0: killed before the call */
	enum walk_end end;
};

struct walk {
	void (*prepare)(void *context);
	int (*act)(void *context);	/* 0 or -1 */
	void (*check)(void *context, const struct walked *walked);
	bool kills;		/* no fault but the end */
	unsigned most;		/* faults, spread evenly over all there are; 0, or WALK_ALL in the environment: all */
};

/* Every call that can fail with every fault: killed, ENOSPC, EIO, EINTR, EACCES. Skips the test, and says
 * so, where nothing can be traced. Returns how many faults there were. */
unsigned walk_run(const struct walk *walk, void *context);
/* Only one fault, at that call; without `prepare` and `check`. False where the act makes fewer calls. */
bool walk_once(const struct walk *walk, void *context, unsigned call, int failure,
	       enum walk_end *ret_end);
void walk_tell(void);

#endif

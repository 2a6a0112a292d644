/* plugins/landlock/guard.h - changes of modes, owners, times and extended attributes, for which Landlock has no
 * rule: the command's filter asks, a thread of the host looks where it is, and does it in the command's stead.
 *
 * It never lets the command's own call go on: what that points to could be another by then.
 */
#ifndef LANDLOCK_GUARD_H
#define LANDLOCK_GUARD_H

#include <pinfold/arm.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

struct guard {
	const char *const *roots;	/* where it may be: canonical */
	size_t root_count;
	int host_end;	/* from which the listener comes */
	int child_end;	/* to which the child sends it: 10 or more */
	bool running;
	pthread_t thread;
};

/* Can a thread here see what the command's calls point to, and is no other listener in the way? */
bool guard_is_possible(const struct pinfold_host *host);
/* Begins to listen. -1 with errno. */
int guard_start(struct guard *guard);
/* In the child: installs the filter and sends its listener. 0, or a negative errno. */
long guard_install(const struct pinfold_host *host, const struct guard *guard, const struct sock_fprog *filter);
/* Ends it; whatever still asks is refused. */
void guard_stop(struct guard *guard);

/* One call of the command's that waits. */
struct question {
	const struct guard *guard;
	int listener;
	const struct seccomp_notif *asked;
};
/* 0, or a negative errno for the command. */
int answer(const struct question *question);

#endif

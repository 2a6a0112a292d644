/* base/asked.h - a call of a command's that waits until a listener has answered it (seccomp's user notification), and
 * what it points to in the memory and the files of the process that made it.
 *
 * The process may end while it is looked at, and another get its number: so everything that was found is believed
 * only where the call still waits afterwards. What lies in memory can have been changed by then, and be changed
 * again before the kernel reads it: nothing that is read here may decide that a call goes on.
 */
#ifndef BASE_ASKED_H
#define BASE_ASKED_H

#include <pinfold/arm.h>
#include <stdbool.h>

struct asked {
	struct pinfold_asked call;	/* first: what a plugin is given */
	uint64_t id;
	int listener;
	bool *unreadable;	/* set where the process lets nobody look; NULL: nobody wants to know */
};

/* Does it still wait? 1 or 0. */
int asked_waits(const struct pinfold_asked *asked);
/* 0, or -EFAULT where it is not there, or the process is not. */
int asked_read(const struct pinfold_asked *asked, uint64_t at, void *room, size_t bytes);
/* A text with its end; -ENAMETOOLONG where the room ends before. */
int asked_text(const struct pinfold_asked *asked, uint64_t at, char *room, size_t bytes);
/* What the process has open by that number, or (AT_FDCWD) its working directory, by O_PATH; or a negative errno. */
int asked_open(const struct pinfold_asked *asked, int number);
/* Its root directory, in the same way. */
int asked_open_root(const struct pinfold_asked *asked);

/* Can a thread of this process, without capabilities where `bare`, listen to what a child's filter asks, and look at what
 * the calls point to? Tried. What is in the way, for a person and static, or NULL. */
const char *asked_trouble(bool bare);
/* What decides that, for tests: what Yama says (kernel.yama.ptrace_scope), and whether this thread may trace anything. */
bool asked_scope_lets(char scope, bool may_trace);
bool asked_may_trace(void);
/* The same for plugins, whose answers are given without capabilities. */
int asked_is_possible(const struct pinfold_host *host);

#endif

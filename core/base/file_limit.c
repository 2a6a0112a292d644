/* base/file_limit.c - a write past the limit on file sizes is an error, not the end of the caller. */
#include "config.h"

#include "base/file_limit.h"

#include <errno.h>

static sigset_t its_signal(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGXFSZ);
	return set;
}

void file_limit_hold(struct file_limit *ret_limit)
{
	sigset_t set = its_signal(), pending;
	sigpending(&pending);
	ret_limit->pending = sigismember(&pending, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &set, &ret_limit->before);
}

/* The signal is the thread's own: it is taken where a write has raised it. */
void file_limit_let_go(const struct file_limit *limit)
{
	static const struct timespec at_once = { 0, 0 };
	sigset_t set = its_signal(), pending;
	int failure = errno;
	sigpending(&pending);
	if (!limit->pending && sigismember(&pending, SIGXFSZ))
		sigtimedwait(&set, NULL, &at_once);
	pthread_sigmask(SIG_SETMASK, &limit->before, NULL);
	errno = failure;
}

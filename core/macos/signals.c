/* macos/signals.c - taking a pending signal, and the names of signals and errors. */
#include "config.h"

#include <errno.h>
#include <string.h>

/* One of the set that is pending already; nobody here waits for one to come. */
int sigtimedwait(const sigset_t *set, siginfo_t *ret_info, const struct timespec *longest)
{
	sigset_t pending, one;
	int got;
	(void)ret_info;
	(void)longest;
	sigpending(&pending);
	for (int number = 1; number < NSIG; number++) {
		if (!sigismember(set, number) || !sigismember(&pending, number))
			continue;
		sigemptyset(&one);
		sigaddset(&one, number);
		return sigwait(&one, &got) == 0 ? got : -1;
	}
	errno = EAGAIN;
	return -1;
}

const char *sigabbrev_np(int number)
{
	static const char *const names[] = {
		[SIGHUP] = "HUP", [SIGINT] = "INT", [SIGQUIT] = "QUIT", [SIGILL] = "ILL", [SIGTRAP] = "TRAP",
		[SIGABRT] = "ABRT", [SIGEMT] = "EMT", [SIGFPE] = "FPE", [SIGKILL] = "KILL", [SIGBUS] = "BUS",
		[SIGSEGV] = "SEGV", [SIGSYS] = "SYS", [SIGPIPE] = "PIPE", [SIGALRM] = "ALRM", [SIGTERM] = "TERM",
		[SIGURG] = "URG", [SIGSTOP] = "STOP", [SIGTSTP] = "TSTP", [SIGCONT] = "CONT", [SIGCHLD] = "CHLD",
		[SIGTTIN] = "TTIN", [SIGTTOU] = "TTOU", [SIGIO] = "IO", [SIGXCPU] = "XCPU", [SIGXFSZ] = "XFSZ",
		[SIGVTALRM] = "VTALRM", [SIGPROF] = "PROF", [SIGWINCH] = "WINCH", [SIGINFO] = "INFO",
		[SIGUSR1] = "USR1", [SIGUSR2] = "USR2",
	};
	return number > 0 && number < (int)(sizeof(names) / sizeof(names[0])) ? names[number] : NULL;
}

const char *strerrordesc_np(int number)
{
	return strerror(number);
}

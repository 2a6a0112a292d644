/* cli/signals.c - signals to pinfold while a command runs. */
#include "config.h"

#include "signals.h"

#include <pinfold/pinfold.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const int kept[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGCONT, SIGTSTP, SIGWINCH, SIGALRM,
};

/* A handler can reach nothing else. */
static int channel[2] = { -1, -1 };

static void keep(int signal_number)
{
	int before = errno;
	unsigned char number = (unsigned char)signal_number;
	ssize_t ignored = write(channel[1], &number, 1);
	(void)ignored;
	errno = before;
}

/* Before any thread or child: in two steps, since not every system makes such a pipe in one. */
static int make_channel(void)
{
	if (pipe(channel) < 0)
		return -1;
	for (int i = 0; i < 2; i++)
		if (fcntl(channel[i], F_SETFD, FD_CLOEXEC) < 0 || fcntl(channel[i], F_SETFL, O_NONBLOCK) < 0)
			return -1;
	return 0;
}

int signals_prepare(struct pinfold_error *err)
{
	if (make_channel() < 0)
		return pinfold_fail(err, PINFOLD_E_SYSTEM, errno, "make a pipe",
				    "for signals that are handed on",
				    "allow pinfold more open files (ulimit -n)");
	return 0;
}

void signals_keep(void *unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		struct sigaction now, then = { .sa_handler = keep, .sa_flags = SA_RESTART };
		if (sigaction(kept[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
			sigaction(kept[i], &then, NULL);
	}
}

int signals_descriptor(void)
{
	return channel[0];
}

int signals_next(void)
{
	unsigned char number;
	return read(channel[0], &number, 1) == 1 ? number : 0;
}

void signals_stop_group(int signal_number)
{
	struct sigaction now, plain = { .sa_handler = SIG_DFL };
	if (signal_number == SIGSTOP || sigaction(signal_number, &plain, &now) < 0) {
		kill(0, SIGSTOP);
		return;
	}
	kill(0, signal_number);
	sigaction(signal_number, &now, NULL);
}

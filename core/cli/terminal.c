/* cli/terminal.c - the terminal that pinfold was started from. */
#include "config.h"

#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define DYING_TRIES 20	/* looks at whether what has the terminal still lives */
#define DYING_PAUSE 5000000	/* nanoseconds between them */

#ifdef TIOCGEXCL
static bool is_exclusive(int fd)
{
	int exclusive = 0;
	return ioctl(fd, TIOCGEXCL, &exclusive) == 0 && exclusive;
}
#else
static bool is_exclusive(int fd)
{
	(void)fd;
	return false;
}
#endif

void terminal_remember(struct terminal *terminal)
{
	terminal->fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	terminal->remembered = terminal_is_ours(terminal) &&
			       tcgetattr(terminal->fd, &terminal->modes) == 0;
	terminal->exclusive = terminal->remembered && is_exclusive(terminal->fd);
}

bool terminal_is_ours(const struct terminal *terminal)
{
	return terminal->fd >= 0 && tcgetpgrp(terminal->fd) == getpgrp();
}

/* A command can put a group of its own into the foreground. When that has gone nobody has the terminal, and a
 * shell that waits for us is stopped at its next read. A group that lives is the shell's, or of its choice. */
static bool nobody_has(const struct terminal *terminal)
{
	for (int tries = 0; tries < DYING_TRIES; tries++) {
		pid_t group = tcgetpgrp(terminal->fd);
		if (group < 0 || group == getpgrp())
			return false;
		if (group <= 1 || (kill(-group, 0) < 0 && errno == ESRCH))
			return true;
		nanosleep(&(struct timespec){ .tv_nsec = DYING_PAUSE }, NULL);
	}
	return false;
}

void terminal_restore(struct terminal *terminal)
{
	sigset_t output, before;
	sigemptyset(&output);
	sigaddset(&output, SIGTTOU);
	sigprocmask(SIG_BLOCK, &output, &before);
	if (terminal->remembered && !terminal_is_ours(terminal) && nobody_has(terminal))
		tcsetpgrp(terminal->fd, getpgrp());
	if (terminal->remembered && !terminal->exclusive && is_exclusive(terminal->fd))
		ioctl(terminal->fd, TIOCNXCL);
	if (terminal->remembered && terminal_is_ours(terminal))
		tcsetattr(terminal->fd, TCSADRAIN, &terminal->modes);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (terminal->fd >= 0)
		close(terminal->fd);
	terminal->fd = -1;
}

bool terminal_ask(const struct terminal *terminal, const char *question)
{
	char answer[64];
	if (terminal->fd < 0 || write(terminal->fd, question, strlen(question)) < 0)
		return false;
	ssize_t length = read(terminal->fd, answer, sizeof(answer));
	return length >= 2 && (answer[0] == 'y' || answer[0] == 'Y') &&
	       (answer[1] == '\n' || (length == 4 && memcmp(answer, "yes\n", 4) == 0));
}

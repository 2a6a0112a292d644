/* cli/terminal.c - the terminal that pinfold was started from. */
#include "config.h"

#include "terminal.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

void terminal_remember(struct terminal *terminal)
{
	terminal->fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	terminal->remembered = terminal_is_ours(terminal) &&
			       tcgetattr(terminal->fd, &terminal->modes) == 0;
}

bool terminal_is_ours(const struct terminal *terminal)
{
	return terminal->fd >= 0 && tcgetpgrp(terminal->fd) == getpgrp();
}

void terminal_restore(struct terminal *terminal)
{
	sigset_t output, before;
	sigemptyset(&output);
	sigaddset(&output, SIGTTOU);
	sigprocmask(SIG_BLOCK, &output, &before);
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

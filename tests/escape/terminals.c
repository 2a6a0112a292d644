/* escape/terminals.c - see terminals.h. */
#include "config.h"

#include "terminals.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { TYPED = 1, DISCIPLINE = 2, FOREGROUND = 4, SESSION = 8, SETTINGS = 16, HUNG = 32, EXCLUSIVE = 64 };

int terminal_open(struct terminal *terminal)
{
	struct termios settings;
	if (openpty(&terminal->master, &terminal->slave, NULL, NULL, NULL) < 0 || pipe2(terminal->report, O_CLOEXEC) < 0)
		return -1;
	fcntl(terminal->master, F_SETFD, FD_CLOEXEC);
	fcntl(terminal->master, F_SETFL, O_NONBLOCK);
	tcgetattr(terminal->slave, &settings);
	cfmakeraw(&settings);	/* what is typed can be counted at once */
	settings.c_lflag |= ISIG;
	return tcsetattr(terminal->slave, TCSANOW, &settings);
}

/* As the leader sees it when the command has ended, before a shell would take it back. */
static unsigned look(int slave, pid_t job, const struct termios *before)
{
	struct termios after;
	int pending = 0, discipline = 0, exclusive = 0;
	pid_t session = -1;
	unsigned found = 0;
	memset(&after, 0, sizeof(after));
	if (write(slave, "", 1) != 1 || tcgetattr(slave, &after) < 0)
		return HUNG;
	if (ioctl(slave, TIOCGETD, &discipline) == 0 && discipline != 0)
		found |= DISCIPLINE;
	if (ioctl(slave, FIONREAD, &pending) == 0 && pending > 0)
		found |= TYPED;
	if (ioctl(slave, TIOCGSID, &session) < 0 || session != getpid())
		found |= SESSION;
	else if (tcgetpgrp(slave) != job && tcgetpgrp(slave) != getpid())
		found |= FOREGROUND;
	if (ioctl(slave, TIOCGEXCL, &exclusive) == 0 && exclusive)
		found |= EXCLUSIVE;
	if (after.c_lflag != before->c_lflag || after.c_iflag != before->c_iflag || after.c_oflag != before->c_oflag)
		found |= SETTINGS;
	return found;
}

void terminal_lead(struct terminal *terminal)
{
	struct termios before;
	int status, slave = terminal->slave;
	setsid();
	if (ioctl(slave, TIOCSCTTY, 0) < 0)
		_exit(126);
	for (int number = 1; number < 32; number++)
		if (number != SIGCHLD)
			signal(number, SIG_IGN);
	dup2(slave, 0);
	tcgetattr(slave, &before);
	pid_t job = fork();
	setpgid(job, job);
	if (job == 0) {
		tcsetpgrp(slave, getpid());
		return;
	}
	tcsetpgrp(slave, job);
	waitpid(job, &status, 0);
	unsigned found = look(slave, job, &before);
	if (write(terminal->report[1], &found, sizeof(found)) != sizeof(found))
		_exit(126);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

void terminal_close(struct terminal *terminal, struct effects *effects)
{
	unsigned found = 0;
	close(terminal->report[1]);
	if (read(terminal->report[0], &found, sizeof(found)) != sizeof(found))
		found = HUNG;
	if (found & TYPED)
		watch_add(effects, "something was typed into the terminal");
	if (found & DISCIPLINE)
		watch_add(effects, "the terminal has another line discipline");
	if (found & FOREGROUND)
		watch_add(effects, "another process group is in the foreground");
	if (found & SESSION)
		watch_add(effects, "the terminal belongs to another session");
	if (found & SETTINGS)
		watch_add(effects, "the terminal has other settings");
	if (found & HUNG)
		watch_add(effects, "the terminal was hung up");
	if (found & EXCLUSIVE)
		watch_add(effects, "nobody else can open the terminal");
	close(terminal->report[0]);
	close(terminal->slave);
	close(terminal->master);
}

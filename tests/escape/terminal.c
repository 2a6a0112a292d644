/* escape/terminal.c - typing into the caller's terminal, and taking it over. */
#include "config.h"

#include "case.h"
#include "foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

static long type(int fd, unsigned long request)
{
	char byte = '!';
	return done(syscall(SYS_ioctl, fd, request, &byte));
}

static long type_by_input(void)
{
	return type(0, TIOCSTI);
}

static long type_by_name(void)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : type(fd, TIOCSTI);
}

static long type_by_link(void)
{
	int fd = open("/proc/self/fd/0", O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : type(fd, TIOCSTI);
}

static long type_with_high_bits(void)
{
	return type(0, TIOCSTI | 0x100000000UL);
}

static long type_by_32_bits(void)
{
	return foreign_ioctl(0, TIOCSTI);
}

static long paste(void)
{
	char request[16] = { 2 };
	return done(ioctl(0, TIOCLINUX, request));
}

static long change_discipline(void)
{
	int null = 27;
	return done(ioctl(0, TIOCSETD, &null));
}

static long own_session(void)
{
	setsid();
	return done(ioctl(0, TIOCSCTTY, 1));
}

static long steal(void)
{
	return in_child(own_session);
}

static long keep_foreground(void)
{
	signal(SIGTTOU, SIG_IGN);
	if (setpgid(0, 0) < 0)
		return -errno;
	return done(tcsetpgrp(0, getpid()));
}

static long keep_settings(void)
{
	struct termios settings;
	signal(SIGTTOU, SIG_IGN);
	if (tcgetattr(0, &settings) < 0)
		return -errno;
	settings.c_lflag ^= ECHO;
	settings.c_iflag ^= IXANY;
	return done(tcsetattr(0, TCSANOW, &settings));
}

static long hang_up(void)
{
	return done(vhangup());
}

static long exclude(void)
{
	return done(ioctl(0, TIOCEXCL));
}

static const struct row rows[] = {
	{ "tiocsti", "terminal", PTY, type_by_input, &writes_to_its_terminal,
	  "TIOCSTI on standard input types into the shell that called", "CVE-2017-5226, GHSA-7gfv-rvfx-h87x" },
	{ "tiocsti-dev-tty", "terminal", PTY, type_by_name, &writes_to_its_terminal,
	  "TIOCSTI on /dev/tty, which is there even where the streams are pipes", "CVE-2017-5226" },
	{ "tiocsti-reopened", "terminal", PTY, type_by_link, &writes_to_its_terminal,
	  "TIOCSTI on the terminal opened anew through /proc/self/fd", "CVE-2017-5226" },
	{ "tiocsti-high-bits", "terminal", PTY, type_with_high_bits, &writes_to_its_terminal,
	  "TIOCSTI with bits set above 32, which the kernel ignores and a filter may not", "CVE-2019-10063, CVE-2019-7303" },
	{ "tiocsti-32-bits", "terminal", PTY, type_by_32_bits, &writes_to_its_terminal,
	  "TIOCSTI by the ioctl of the 32-bit interface, which has another number", "CVE-2019-10063" },
	{ "tioclinux", "terminal", PTY, paste, &writes_to_its_terminal,
	  "TIOCLINUX pastes the selection of a virtual console", "CVE-2023-1523 (snapd)" },
	{ "line-discipline", "terminal", PTY, change_discipline, &writes_to_its_terminal,
	  "TIOCSETD leaves the terminal with a line discipline that swallows all input", "ioctl_tty(2)" },
	{ "steal-terminal", "terminal", PTY, steal, &writes_to_its_terminal,
	  "TIOCSCTTY by a new session takes the terminal away from the caller's", "ioctl_tty(2)" },
	{ "foreground-kept", "terminal", PTY, keep_foreground, &writes_to_its_terminal,
	  "a process group of its own stays in the foreground, so that the shell is stopped when it reads", "reports about stopped shells" },
	{ "settings-kept", "terminal", PTY, keep_settings, &writes_to_its_terminal,
	  "echo and other settings of the terminal are left changed", "termios(3)" },
	{ "hang-up", "terminal", PTY, hang_up, &writes_to_its_terminal,
	  "vhangup() takes the terminal from everyone who has it open", "vhangup(2)" },
	{ "exclusive-terminal", "terminal", PTY, exclude, &writes_to_its_terminal,
	  "TIOCEXCL keeps others from opening the terminal afterwards", "ioctl_tty(2)" },
};
const struct class terminal_class = CLASS("terminal injection", rows);

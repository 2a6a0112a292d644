/* face/own_terminal.c - a terminal that is the command's own. */
#include "config.h"

#include "face/own_terminal.h"

#include "base/cleanup.h"
#include "base/fault.h"

#include <errno.h>
#include <fcntl.h>
#include <pinfold/pinfold.h>
#include <sys/ioctl.h>
#include <termios.h>

static const char action[] = "give the command a terminal of its own";

/* Where the kernel opens the other end by this one, no path is believed. */
static int open_other(int ours)
{
#ifdef TIOCGPTPEER
	int theirs = ioctl(ours, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (theirs >= 0 || errno != ENOTTY)
		return theirs;
#endif
	char name[128];
	if (ptsname_r(ours, name, sizeof(name)) != 0)
		return -1;
	return open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
}

/* Settings that a shell works with while we are in the background are not ours to take over. */
static void take_after(int caller, int theirs)
{
	struct termios modes;
	struct winsize size;
	if (tcgetpgrp(caller) == getpgrp() && tcgetattr(caller, &modes) == 0)
		tcsetattr(theirs, TCSANOW, &modes);
	if (ioctl(caller, TIOCGWINSZ, &size) == 0)
		ioctl(theirs, TIOCSWINSZ, &size);
}

int own_terminal_open(struct own_terminal *ret_terminal, struct pinfold_error *err)
{
	auto_close int ours = posix_openpt(O_RDWR | O_NOCTTY), theirs = -1;
	bool made = ours >= 0 && fcntl(ours, F_SETFD, FD_CLOEXEC) == 0 && fcntl(ours, F_SETFL, O_NONBLOCK) == 0 &&
		    grantpt(ours) == 0 && unlockpt(ours) == 0 && (theirs = open_other(ours)) >= 0;
	if (!made)
		return fault(err, PINFOLD_E_SYSTEM, errno, action, "[pinfold] terminal = new",
			     "check /dev/ptmx and /dev/pts on this machine, or set it to inherit or none");
	auto_close int caller = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (caller >= 0)
		take_after(caller, theirs);
	*ret_terminal = (struct own_terminal){ take_fd(&ours), take_fd(&theirs) };
	return 0;
}

void own_terminal_close(struct own_terminal *terminal)
{
	cleanup_fd(&terminal->theirs);
	cleanup_fd(&terminal->ours);
	*terminal = (struct own_terminal)OWN_TERMINAL_NONE;
}

int own_terminal_give(const struct own_terminal *terminal, const int32_t wanted[3], struct streams *streams,
		      struct pinfold_error *err)
{
	for (int i = 0; i < 3; i++)
		if (wanted[i] == PINFOLD_STREAM_TERMINAL || isatty(streams->given[i]))
			streams->given[i] = terminal->theirs;
	for (const int *kept = streams->kept; kept && *kept >= 0; kept++)
		if (isatty(*kept))
			return faultf(err, PINFOLD_E_POLICY, 0, action, "leave it out, or set [pinfold] terminal = inherit",
				      "descriptor %d leads to another one", *kept);
	return 0;
}

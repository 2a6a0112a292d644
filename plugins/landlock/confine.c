/* plugins/landlock/confine.c - in the command's task: gives up what the command must not have, and looks
 * whether it is confined. */
#include "config.h"

#include "landlock.h"
#include "privileges/privileges.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

static long fail_at(struct state *state, const char *what, long result)
{
	if (result < 0)
		state->failed = what;
	return result;
}

static long control(const struct pinfold_host *host, long option, long a, long b)
{
	return host->call(SYS_prctl, option, a, b, 0, 0, 0);
}

/* The secure bits are a second line, and take a capability that root in a container may lack: without
 * new privileges no program brings a capability back. */
static long drop_capabilities(const struct pinfold_host *host)
{
	control(host, PR_SET_SECUREBITS, PRIVILEGES_NO_ROOT, 0);
	long result = control(host, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0);
	return result < 0 ? result : privileges_keep(host, 0);
}

/* Each needs what a later one takes away. */
long confine_apply(const struct pinfold_host *host, struct state *state)
{
	long result = fail_at(state, "forbid new privileges", control(host, PR_SET_NO_NEW_PRIVS, 1, 0));
	if (result < 0)
		return result;
	host->call(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0, 0);
	result = fail_at(state, "drop capabilities", drop_capabilities(host));
	if (result < 0)
		return result;
	result = fail_at(state, "lay the rules of Landlock", wall_close_in(host, state->ruleset));
	if (result < 0)
		return result;
	bool listens = state->guarded && !state->tells;
	result = host->call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, listens ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0,
			    (long)&state->filter, 0, 0, 0);
	if (listens && result >= 0)
		state->listener = (int)result;
	return fail_at(state, "install the filter of system calls", result < 0 ? result : 0);
}

static long open_directory(const struct pinfold_host *host, const char *path, int flags)
{
	long fd = host->call(SYS_openat, AT_FDCWD, (long)path, flags | O_CLOEXEC, 0600, 0, 0);
	if (fd >= 0)
		host->call(SYS_close, fd, 0, 0, 0, 0, 0);
	return fd;
}

/* Nothing is made where the file system makes no files without a name. */
static bool is_closed_for_writing(const struct pinfold_host *host, const char *directory)
{
	return !directory || open_directory(host, directory, O_TMPFILE | O_WRONLY) < 0;
}

/* What is told of has no listener yet. */
static bool is_refused(const struct state *state, long result, int error)
{
	return result == -error || (state->tells && result == -ENOSYS);
}

static bool refuses_internet(const struct pinfold_host *host, const struct state *state)
{
	return !state->no_internet ||
	       is_refused(state, host->call(SYS_socket, AF_INET, SOCK_STREAM, 0, 0, 0, 0), EAFNOSUPPORT);
}

static bool refuses_keys(const struct pinfold_host *host, const struct state *state)
{
	return state->keys || is_refused(state, host->call(SYS_keyctl, KEYCTL_GET_KEYRING_ID, 0, 0, 0, 0, 0), EPERM);
}

long confine_verify(const struct pinfold_host *host, struct state *state)
{
	const struct {
		const char *what;
		bool holds;
	} rows[] = {
		{ "look for forbidden privileges", control(host, PR_GET_NO_NEW_PRIVS, 0, 0) == 1 },
		{ "look for a filter of system calls", control(host, PR_GET_SECCOMP, 0, 0) == SECCOMP_MODE_FILTER },
		{ "look whether typing into the terminal is refused",
		  is_refused(state, host->call(SYS_ioctl, -1, TIOCSTI, 0, 0, 0, 0), EPERM) },
		{ "look whether keys are refused", refuses_keys(host, state) },
		{ "look for capabilities that remained", privileges_are_within(host, 0) },
		{ "look whether a hidden directory is shut",
		  open_directory(host, state->shut, O_RDONLY | O_DIRECTORY) == -EACCES },
		{ "look whether the working tree is closed for writing", is_closed_for_writing(host, state->outside) },
		{ "look whether the network is closed", refuses_internet(host, state) },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!rows[i].holds)
			return fail_at(state, rows[i].what, -EPERM);
	return 0;
}

int stage_enter(const struct pinfold_plan *plan, uint32_t stage)
{
	switch (stage) {
	case PINFOLD_STAGE_APPLY:
		return (int)confine_apply(plan->host, plan->state);
	case PINFOLD_STAGE_VERIFY:
		return (int)confine_verify(plan->host, plan->state);
	default:
		return 0;
	}
}

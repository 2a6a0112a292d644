/* plugins/namespaces/confine.c - in the command's task: gives up what the command must not have, and
 * looks whether it is confined. */
#include "config.h"

#include "calls.h"
#include "namespaces.h"
#include "privileges/privileges.h"

#include <linux/capability.h>
#include <linux/keyctl.h>
#include <linux/magic.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

static long fail_at(struct state *state, const char *what, long result)
{
	if (result < 0)
		state->failed = what;
	return result;
}

#define POWER(name) (UINT64_C(1) << CAP_##name)

/* What those need who install packages. It is good only for what can be written, which lies below layers:
 * with none of it can anything be mounted or be unmounted, a device be made or the network be changed. */
static const uint64_t powers = POWER(CHOWN) | POWER(DAC_OVERRIDE) | POWER(FOWNER) | POWER(FSETID) |
			       POWER(SETUID) | POWER(SETGID) | POWER(SETFCAP) | POWER(KILL);

static long bound_capabilities(const struct pinfold_host *host)
{
	long result = 0;
	for (unsigned number = 0; result == 0 && number < 64; number++)
		if (!(powers >> number & 1))
			result = call(host, SYS_prctl, PR_CAPBSET_DROP, number, 0, 0, 0);
	return result == -EINVAL ? 0 : result;	/* past the last that there is */
}

static long keep_powers(const struct pinfold_host *host)
{
	long result = bound_capabilities(host);
	return result < 0 ? result : privileges_keep(host, powers);
}

static long give_up_powers(const struct pinfold_host *host, struct state *state)
{
	if (state->whole)
		return fail_at(state, "keep no capabilities but those over files and ids", keep_powers(host));
	long result = fail_at(state, "lock the secure bits", call(host, SYS_prctl, PR_SET_SECUREBITS, PRIVILEGES_NO_ROOT));
	return result < 0 ? result : fail_at(state, "drop capabilities", privileges_keep(host, 0));
}

/* Each needs what a later one takes away. A keyring of its own is a second line: the filter refuses
 * keys altogether. */
long confine_apply(const struct pinfold_host *host, struct state *state)
{
	long result = fail_at(state, "forbid new privileges",
			      call(host, SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	if (result < 0)
		return result;
	call(host, SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, 0);
	result = fail_at(state, "clear ambient capabilities",
			 call(host, SYS_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0));
	if (result < 0)
		return result;
	result = give_up_powers(host, state);
	if (result < 0)
		return result;
	return fail_at(state, "install the filter of system calls",
		       call(host, SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &state->filter));
}

/* Read-only, or a layer. */
static bool is_root_guarded(const struct pinfold_host *host, const struct state *state)
{
	struct statfs status;
	if (call(host, SYS_statfs, "/", &status) < 0)
		return false;
	if (state->bounded && !(status.f_flags & ST_NOEXEC))
		return false;
	return state->whole ? status.f_type == OVERLAYFS_SUPER_MAGIC : (status.f_flags & ST_RDONLY) != 0;
}

static bool shows_the_tree(const struct pinfold_host *host, const struct state *state)
{
	struct statx status;
	return call(host, SYS_statx, AT_FDCWD, state->tree, AT_SYMLINK_NOFOLLOW, STATX_INO, &status) == 0 &&
	       status.stx_ino == state->tree_identity.inode &&
	       status.stx_dev_major == state->tree_identity.major &&
	       status.stx_dev_minor == state->tree_identity.minor;
}

/* What is told is refused as unknown until somebody listens. */
static bool is_refused(const struct state *state, long result)
{
	return result == -EPERM || (state->tells && result == -ENOSYS);
}

/* The wall's rules are of what the view shows, so it is laid only now. */
long confine_verify(const struct pinfold_host *host, struct state *state)
{
	bool applied = call(host, SYS_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
	bool has_rules = applied && (state->walled || state->ports);
	long walled = has_rules ? fail_at(state, "lay the rules of Landlock", wall_lay(host, state)) : 0;
	if (walled < 0)
		return walled;
	const struct {
		const char *what;
		bool holds;
	} rows[] = {
		{ "look for forbidden privileges", applied },
		{ "look for a filter of system calls",
		  call(host, SYS_prctl, PR_GET_SECCOMP) == SECCOMP_MODE_FILTER },
		{ "look whether typing into the terminal is refused",
		  is_refused(state, call(host, SYS_ioctl, -1, TIOCSTI, 0)) },
		{ "look whether keys are refused",
		  state->keys || is_refused(state, call(host, SYS_keyctl, KEYCTL_GET_KEYRING_ID, 0, 0)) },
		{ "look for capabilities that remained", privileges_are_within(host, state->whole ? powers : 0) },
		{ state->whole ? "look for a layer over the root" : "look whether the root is read-only",
		  is_root_guarded(host, state) },
		{ "look for the working tree's copy in its place", shows_the_tree(host, state) },
		{ "look for a process namespace of its own", call(host, SYS_getppid) == 1 },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!rows[i].holds)
			return fail_at(state, rows[i].what, -EPERM);
	return 0;
}

int stage_enter(const struct pinfold_plan *plan, uint32_t stage)
{
	if (plan->through)	/* bubblewrap does it all */
		return 0;
	switch (stage) {
	case PINFOLD_STAGE_VIEW:
		return (int)view_enter(plan->host, plan->state);
	case PINFOLD_STAGE_AHEAD:
		return (int)view_ahead(plan->host, plan->state);
	case PINFOLD_STAGE_APPLY:
		return (int)confine_apply(plan->host, plan->state);
	case PINFOLD_STAGE_VERIFY:
		return (int)confine_verify(plan->host, plan->state);
	default:
		return -EINVAL;
	}
}

/* plugins/namespaces/refusal.c - why namespaces cannot be had here, and what lifts it: from the step
 * that failed, its error, and the machine's switches. */
#include "config.h"

#include "probe.h"

#include <errno.h>
#include <string.h>

#define WRAPPER_HINT                                                           \
	"; where the machine admits bubblewrap, set [arm:namespaces] wrapper = /usr/bin/bwrap"

static struct refusal explain_clone(int error, const struct switches *switches)
{
	if (error == ENOSPC || (error == EPERM && switches->namespaces_allowed == 0))
		return (struct refusal){
			"user namespaces: the limit of this machine or of an enclosing container is reached",
			"raise the limit: sysctl -w user.max_user_namespaces=15000 (not a matter of disk space)" };
	if (error == EPERM && switches->clone_allowed == 0)
		return (struct refusal){
			"user namespaces: this kernel is set to refuse them to ordinary users",
			"sysctl -w kernel.unprivileged_userns_clone=1" WRAPPER_HINT };
	if (error == EPERM && switches->apparmor_restricts == 1)
		return (struct refusal){
			"user namespaces: AppArmor refuses them to programs without a profile that allows them",
			"install an AppArmor profile with `userns,` for pinfold, or sysctl -w "
			"kernel.apparmor_restrict_unprivileged_userns=0" WRAPPER_HINT };
	if (error == EPERM)
		return (struct refusal){
			"user namespaces: refused, as a container's default profile, a chroot or an enclosing sandbox does",
			"run outside of it, or let the container make them (docker run --security-opt seccomp=unconfined "
			"--security-opt apparmor=unconfined)" };
	if (error == EINVAL || error == ENOSYS)
		return (struct refusal){ "user, mount, pid, network, ipc, uts and cgroup namespaces: not in this kernel",
					 "use a kernel that is built with all of them (CONFIG_USER_NS …)" };
	if (error == EAGAIN || error == ENOMEM)
		return (struct refusal){ "room for another process",
					 "raise the limit of processes (ulimit -u) or free memory" };
	if (error == EUSERS)
		return (struct refusal){ "user namespaces: nested too deep (32 levels)",
					 "run outside of some of the enclosing containers" };
	return (struct refusal){ "user namespaces: the kernel refuses them",
				 "look into the kernel's log for who refused" };
}

static struct refusal explain_map(const struct switches *switches)
{
	if (switches->apparmor_restricts == 1)
		return (struct refusal){
			"capabilities in the user namespace: AppArmor takes them from programs without a profile",
			"install an AppArmor profile with `userns,` for pinfold, or sysctl -w "
			"kernel.apparmor_restrict_unprivileged_userns=0" WRAPPER_HINT };
	return (struct refusal){
		"mapping of the caller's ids: refused by a security module, or /proc is not writable here",
		"let the security policy of this machine admit user namespaces for pinfold" WRAPPER_HINT };
}

static bool is_about(const struct trial *trial, const char *what)
{
	return trial->what && strstr(trial->what, what);
}

static struct refusal explain_view(const struct trial *trial, const struct switches *switches)
{
	if (trial->error == ENOSYS)
		return (struct refusal){ "the kernel's calls for mounting by descriptor (Linux 5.12), or a container's "
					 "profile that hides them",
					 "use Linux 5.12 or later; in a container, a newer profile of system calls" WRAPPER_HINT };
	if (is_about(trial, "mount /proc") && (trial->error == EPERM || trial->error == EACCES))
		return (struct refusal){
			"a /proc of its own: parts of this container's /proc are masked, so the kernel mounts no other",
			"set [arm:namespaces] proc = none, or unmask it (docker run --security-opt systempaths=unconfined)" };
	if (trial->error == EPERM || trial->error == EACCES) {
		if (switches->apparmor_restricts == 1)
			return explain_map(switches);
		return (struct refusal){
			"mounting in a namespace of its own: refused, as a container's default profile does",
			"run outside of the container, or let it mount (docker run --security-opt seccomp=unconfined "
			"--security-opt apparmor=unconfined)" };
	}
	if (trial->error == ENODEV)
		return (struct refusal){ "a file system that the view needs (tmpfs, proc or devpts)",
					 "use a kernel that is built with all of them" };
	if (trial->error == EMFILE || trial->error == ENFILE)
		return (struct refusal){ "room for more open files", "raise the limit of open files (ulimit -n)" };
	return (struct refusal){ "laying out the view: a step failed",
				 "run `pinfold run` once: its error names the step and the path" };
}

static struct refusal explain_apply(const struct trial *trial)
{
	if (is_about(trial, "filter"))
		return (struct refusal){ "a filter of system calls: not in this kernel, or refused by an enclosing sandbox",
					 "use a kernel with CONFIG_SECCOMP_FILTER, outside of the enclosing sandbox" };
	return (struct refusal){ "giving up privileges: the kernel refused a step",
				 "run outside of the enclosing sandbox" };
}

struct refusal refusal_explain(const struct trial *trial, const struct switches *switches)
{
	switch (trial->step) {
	case TRIAL_CLONE:
		return explain_clone(trial->error, switches);
	case TRIAL_MAP:
		return explain_map(switches);
	case TRIAL_LOOPBACK:
		return (struct refusal){ "a loopback device in a network of its own",
					 "let the security policy of this machine admit network namespaces for pinfold" };
	case TRIAL_VIEW:
		return explain_view(trial, switches);
	case TRIAL_FORK:
		return (struct refusal){ "room for another process",
					 "raise the limit of processes (ulimit -u) or free memory" };
	case TRIAL_APPLY:
		return explain_apply(trial);
	default:
		return (struct refusal){ "confinement that holds: looking from inside found a way out",
					 "report this with the version of the kernel" };
	}
}

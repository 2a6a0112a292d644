/* base/asked.c - a call that waits for a listener's answer, and what it points to. */
#include "config.h"

#include "base/asked.h"

#include "base/cleanup.h"
#include "base/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

/* --- looking ------------------------------------------------------------------------------------------ */

static const struct asked *own(const struct pinfold_asked *asked)
{
	return (const struct asked *)(const void *)asked;
}

int asked_waits(const struct pinfold_asked *asked)
{
	uint64_t id = own(asked)->id;
	return ioctl(own(asked)->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

/* Whoever made himself unreadable, and not whoever has ended. */
static void note_refusal(const struct pinfold_asked *asked, int sys)
{
	if ((sys == EPERM || sys == EACCES) && own(asked)->unreadable && asked_waits(asked))
		*own(asked)->unreadable = true;
}

int asked_read(const struct pinfold_asked *asked, uint64_t at, void *room, size_t bytes)
{
	struct iovec here = { room, bytes }, there = { (void *)(uintptr_t)at, bytes };
	ssize_t got = process_vm_readv((pid_t)asked->process, &here, 1, &there, 1, 0);
	if (got < 0)
		note_refusal(asked, errno);
	return got == (ssize_t)bytes && asked_waits(asked) ? 0 : -EFAULT;
}

/* Page by page: what follows a text need not be there. */
int asked_text(const struct pinfold_asked *asked, uint64_t at, char *room, size_t bytes)
{
	const size_t page = 4096;	/* the smallest that there is */
	for (size_t had = 0; had < bytes;) {
		size_t part = page - (at + had) % page;
		if (part > bytes - had)
			part = bytes - had;
		int result = asked_read(asked, at + had, room + had, part);
		if (result < 0)
			return result;
		if (memchr(room + had, '\0', part))
			return 0;
		had += part;
	}
	return -ENAMETOOLONG;
}

static int open_link(const struct pinfold_asked *asked, const char *link, int flags)
{
	auto_close int fd = open(link, O_PATH | O_CLOEXEC | flags);
	if (fd < 0) {
		int sys = errno;
		note_refusal(asked, sys);
		return sys == ENOENT ? -EBADF : -sys;
	}
	return asked_waits(asked) ? take_fd(&fd) : -EBADF;
}

int asked_open(const struct pinfold_asked *asked, int number)
{
	char link[64];
	if (number == AT_FDCWD)
		snprintf(link, sizeof(link), "/proc/%u/cwd", asked->process);
	else
		snprintf(link, sizeof(link), "/proc/%u/fd/%d", asked->process, number);
	return open_link(asked, link, 0);
}

int asked_open_root(const struct pinfold_asked *asked)
{
	char link[64];
	snprintf(link, sizeof(link), "/proc/%u/root", asked->process);
	return open_link(asked, link, O_DIRECTORY);
}

/* --- whether there can be any -------------------------------------------------------------------------- */

/* Beside this process's memory: raw calls alone. */
__attribute__((no_sanitize("address", "undefined"))) static int install_any(void *ignored)
{
	struct sock_filter instruction = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	const struct sock_fprog filter = { 1, &instruction };
	(void)ignored;
	raw(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	long listener = raw(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter);
	raw(SYS_exit, listener < 0);
	return 1;
}

/* Only one filter above a process can have a listener: tried in a task of its own, if there is one at all. It
 * ends without a signal: an embedder may ignore that, or wait for any child of its. */
static bool may_listen(void)
{
	enum { ROOM = 32 * 1024 };
	int status = 1;
	sigset_t all, before;
	if (prctl(PR_GET_SECCOMP) == 0)
		return true;
	char *stack = malloc(ROOM);
	if (!stack)
		return false;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pid_t task = clone(install_any, stack + ROOM, CLONE_VM | CLONE_VFORK, NULL);
	while (task > 0 && waitpid(task, &status, __WALL) < 0 && errno == EINTR)
		;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	free(stack);
	return task > 0 && status == 0;
}

/* Of this thread. Being root does not say it: a container's mostly has not this one. */
bool asked_may_trace(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { { 0 } };
	return syscall(SYS_capget, &header, data) == 0 && data[0].effective >> CAP_SYS_PTRACE & 1;
}

bool asked_scope_lets(char scope, bool may_trace)
{
	return scope < '2' || (scope == '2' && may_trace);
}

/* With Yama at 2 only who may trace anything sees the memory of others, and at 3 nobody does. */
static bool may_look(bool bare)
{
	char digit = '0';
	auto_close int fd = open("/proc/sys/kernel/yama/ptrace_scope", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd >= 0 ? read(fd, &digit, 1) : 0;
	return got <= 0 || asked_scope_lets(digit, !bare && asked_may_trace());
}

const char *asked_trouble(bool bare)
{
	if (!may_look(bare))
		return "Yama lets nobody look into other processes (kernel.yama.ptrace_scope)";
	return may_listen() ? NULL : "an enclosing sandbox listens to system calls already, and the kernel has no second "
				     "listener";
}

int asked_is_possible(const struct pinfold_host *host)
{
	(void)host;
	return asked_trouble(true) == NULL;
}

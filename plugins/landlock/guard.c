/* plugins/landlock/guard.c - the thread that listens to what the command's filter asks. */
#include "config.h"

#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GUARD_STACK = 128 * 1024 };

/* It needs no more than the command has, so that nothing is done for the command that it could not do. */
static void drop_capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	const struct __user_cap_data_struct none[2] = { 0 };
	syscall(SYS_capset, &header, none);	/* of this thread alone */
}

static int take_listener(int socket)
{
	int listener = -1;
	char byte;
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec data = { &byte, 1 };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
				  .msg_controllen = sizeof(control) };
	if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1)
		return -1;
	const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	if (head && head->cmsg_type == SCM_RIGHTS && head->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(&listener, CMSG_DATA(head), sizeof(listener));
	return listener;
}

static void serve_one(const struct guard *guard, int listener)
{
	struct seccomp_notif asked = { 0 };
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) < 0)
		return;
	const struct question question = { guard, listener, &asked };
	struct seccomp_notif_resp told = { .id = asked.id, .error = answer(&question) };
	ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &told);
}

/* Until nothing is left that could ask, or the host wants no more. */
static void serve(const struct guard *guard, int listener)
{
	struct pollfd on[2] = { { .fd = listener, .events = POLLIN }, { .fd = guard->host_end } };
	for (;;) {
		if (poll(on, 2, -1) < 0 && errno != EINTR)
			return;
		if (on[1].revents || on[0].revents & (POLLHUP | POLLERR))
			return;
		if (on[0].revents & POLLIN)
			serve_one(guard, listener);
	}
}

static void *guard_main(void *argument)
{
	const struct guard *guard = argument;
	drop_capabilities();
	int listener = take_listener(guard->host_end);
	if (listener >= 0) {
		serve(guard, listener);
		close(listener);
	}
	return NULL;
}

static int start_thread(struct guard *guard)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	if (pthread_attr_init(&attributes) != 0)
		return ENOMEM;
	pthread_attr_setstacksize(&attributes, GUARD_STACK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);	/* signals are for the caller's threads */
	int error = pthread_create(&guard->thread, &attributes, guard_main, guard);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}

/* Past the descriptors that are overwritten in the child. */
static int move_past(int fd)
{
	int past = fcntl(fd, F_DUPFD_CLOEXEC, 10);
	close(fd);
	return past;
}

int guard_start(struct guard *guard)
{
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -1;
	guard->host_end = pair[0];
	guard->child_end = move_past(pair[1]);
	int error = guard->child_end < 0 ? errno : start_thread(guard);
	guard->running = error == 0;
	if (!guard->running) {
		close(guard->host_end);
		if (guard->child_end >= 0)
			close(guard->child_end);
		errno = error;
	}
	return guard->running ? 0 : -1;
}

void guard_stop(struct guard *guard)
{
	if (!guard->running)
		return;
	close(guard->child_end);
	shutdown(guard->host_end, SHUT_RDWR);
	pthread_join(guard->thread, NULL);
	close(guard->host_end);
	guard->running = false;
}

static long send_listener(const struct pinfold_host *host, int socket, int listener)
{
	char byte = 0;
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { .head = { .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET,
				.cmsg_type = SCM_RIGHTS } };
	__builtin_memcpy(CMSG_DATA(&control.head), &listener, sizeof(listener));
	struct iovec data = { &byte, 1 };
	const struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
					.msg_controllen = sizeof(control) };
	return host->call(SYS_sendmsg, socket, (long)&message, MSG_NOSIGNAL, 0, 0, 0);
}

long guard_install(const struct pinfold_host *host, const struct guard *guard, const struct sock_fprog *filter)
{
	long listener = host->call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
				   (long)filter, 0, 0, 0);
	if (listener < 0)
		return listener;
	long sent = send_listener(host, guard->child_end, (int)listener);
	host->call(SYS_close, listener, 0, 0, 0, 0, 0);
	host->call(SYS_close, guard->child_end, 0, 0, 0, 0, 0);
	return sent < 0 ? sent : 0;
}

static int install_any(void *argument)
{
	const struct pinfold_host *host = argument;
	struct sock_filter instructions[] = { BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
	const struct sock_fprog filter = { 1, instructions };
	host->call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0);
	long listener = host->call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
				   (long)&filter, 0, 0, 0);
	host->call(SYS_exit, listener < 0, 0, 0, 0, 0, 0);
	return 1;
}

/* Only one filter above a process can have a listener: tried in a task of its own, if there is one at all. */
static bool may_listen(const struct pinfold_host *host)
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
	pid_t task = clone(install_any, stack + ROOM, CLONE_VM | CLONE_VFORK | SIGCHLD, (void *)host);
	while (task > 0 && waitpid(task, &status, 0) < 0 && errno == EINTR)
		;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	free(stack);
	return task > 0 && status == 0;
}

/* With Yama at 2 and more only administrators see the memory of others. */
static bool may_look(void)
{
	char digit = '0';
	int fd = open("/proc/sys/kernel/yama/ptrace_scope", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd >= 0 ? read(fd, &digit, 1) : 0;
	if (fd >= 0)
		close(fd);
	return got <= 0 || digit < '2';
}

bool guard_is_possible(const struct pinfold_host *host)
{
	return may_look() && may_listen(host);
}

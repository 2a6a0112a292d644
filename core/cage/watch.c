/* cage/watch.c - the filter that has the kernel tell of a command's attempts, and the thread that hears of them. */
#include "config.h"

#include "cage/watch.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/raw.h"
#include "cage/birth.h"
#include "cage/watch_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE AUDIT_ARCH_AARCH64
#else
#define NATIVE AUDIT_ARCH_RISCV64
#endif

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1ul << 5)
#endif

enum {
	CALLS_MOST = 160,	/* a jump within a filter leads past 255 at most */
	HEAD = 4,	/* instructions before the numbers */
	LATEST_MILLISECONDS = 2000,	/* how long ends may take to be told */
	FIRST_FREE_DESCRIPTOR = 10
};

struct watch {
	watch_tell *tell;
	void *context;
	int host_end, child_end, stop[2];
	pthread_t thread;
	const struct pinfold_told_call *told;	/* to be refused */
	size_t told_count;
	const char *trouble;	/* why not everything is told; written by the thread until it has ended */
};

/* --- in the child ------------------------------------------------------------------------------------ */
static IN_CHILD size_t make_filter(struct sock_filter *filter, const struct pinfold_plan *plan)
{
	size_t count = 0, calls = 0;
	int numbers[CALLS_MOST];
	for (size_t i = 0; i < watched_count && calls < CALLS_MOST; i++)
		if (i == 0 || watched_calls[i].number != watched_calls[i - 1].number)
			numbers[calls++] = watched_calls[i].number;
	for (size_t i = 0; PINFOLD_REACHES(plan, told_count) && i < plan->told_count && calls < CALLS_MOST; i++)
		numbers[calls++] = plan->told[i].number;
	filter[count++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	filter[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE, 1, 0);
	filter[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	filter[count++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < calls; i++)
		filter[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)numbers[i],
							       (uint8_t)(calls - i), 0);
	filter[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	filter[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
	return count;
}

/* A descriptor, or none and why. */
static IN_CHILD long send_word(int socket, int listener, int word)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { .head = { .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS } };
	__builtin_memcpy(CMSG_DATA(&control.head), &listener, sizeof(listener));
	struct iovec data = { &word, sizeof(word) };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1 };
	if (listener >= 0) {
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
	}
	return raw(SYS_sendmsg, socket, &message, MSG_NOSIGNAL);
}

/* A signal must not have a call made twice; kernels before 5.19 know no way to wait for it. */
static IN_CHILD long listen_by(const struct sock_fprog *program)
{
	long listener = raw(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			    SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, program);
	return listener != -EINVAL ? listener :
				     raw(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, program);
}

long IN_CHILD watch_install(int child_end, const struct pinfold_plan *plan)
{
	struct sock_filter filter[HEAD + CALLS_MOST + 2];
	const struct sock_fprog program = { (unsigned short)make_filter(filter, plan), filter };
	long listener = listen_by(&program);
	long sent = send_word(child_end, (int)listener, listener < 0 ? (int)-listener : 0);
	if (listener >= 0)
		raw(SYS_close, listener);
	raw(SYS_close, child_end);
	return listener < 0 || sent >= 0 ? 0 : sent;
}

/* --- the thread --------------------------------------------------------------------------------------- */
static int take_listener(struct watch *watch)
{
	int word = 0, listener = -1;
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec data = { &word, sizeof(word) };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
				  .msg_controllen = sizeof(control) };
	ssize_t got = recvmsg(watch->host_end, &message, MSG_CMSG_CLOEXEC);
	const struct cmsghdr *head = got == sizeof(word) ? CMSG_FIRSTHDR(&message) : NULL;
	if (head && head->cmsg_type == SCM_RIGHTS && head->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(&listener, CMSG_DATA(head), sizeof(listener));
	if (listener < 0 && got == sizeof(word))
		watch->trouble = word == EBUSY ? "another listener is in the way" :
						 "the kernel tells nothing of a command's calls";
	return listener;
}

/* Is the call one that the arm left to be refused? It never goes on. */
static bool refuse_told(const struct watch *watch, const struct seccomp_notif *asked)
{
	for (size_t i = 0; i < watch->told_count; i++) {
		const struct pinfold_told_call *told = &watch->told[i];
		if (told->number != asked->data.nr)
			continue;
		watch->tell(watch->context, &(struct attempt_seen){
			.kind = WATCH_CALL, .call = told->name, .target = told->name, .lift = told->lift,
		});
		return true;
	}
	return false;
}

static void serve_one(struct watch *watch, int listener)
{
	struct seccomp_notif asked = { 0 };
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) < 0)
		return;
	struct seccomp_notif_resp told = { .id = asked.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE };
	if (refuse_told(watch, &asked))
		told = (struct seccomp_notif_resp){ .id = asked.id, .error = -EPERM };
	else
		watch_look(&asked, watch->tell, watch->context);
	ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &told);
}

/* Until nothing is left that could try anything; then, and only then, all was told. */
static void serve(struct watch *watch, int listener)
{
	struct pollfd on[2] = { { .fd = listener, .events = POLLIN }, { .fd = watch->stop[0], .events = POLLIN } };
	for (;;) {
		if (poll(on, 2, -1) < 0 && errno != EINTR)
			return;
		if (on[0].revents & POLLIN)
			serve_one(watch, listener);
		else if (on[0].revents & (POLLHUP | POLLERR))
			return;
		else if (on[1].revents)
			break;
	}
	watch->trouble = "something of the command was still there";
}

static void *watch_main(void *argument)
{
	struct watch *watch = argument;
	struct pollfd on[2] = { { .fd = watch->host_end, .events = POLLIN }, { .fd = watch->stop[0], .events = POLLIN } };
	while (poll(on, 2, -1) < 0 && errno == EINTR)
		;
	int listener = on[0].revents & POLLIN ? take_listener(watch) : -1;
	if (listener < 0)
		return NULL;
	serve(watch, listener);
	close(listener);
	return NULL;
}

static int start_thread(struct watch *watch)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);	/* signals are for the caller's threads */
	int sys = pthread_create(&watch->thread, NULL, watch_main, watch);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return sys;
}

static void watch_free(struct watch *watch)
{
	int *descriptors[] = { &watch->host_end, &watch->child_end, &watch->stop[0], &watch->stop[1] };
	for (size_t i = 0; i < sizeof(descriptors) / sizeof(descriptors[0]); i++)
		cleanup_fd(descriptors[i]);
	free(watch);
}

static int open_ends(struct watch *watch)
{
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return errno;
	watch->host_end = pair[0];
	watch->child_end = fcntl(pair[1], F_DUPFD_CLOEXEC, FIRST_FREE_DESCRIPTOR);
	int sys = watch->child_end < 0 ? errno : 0;
	close(pair[1]);
	if (sys == 0 && pipe2(watch->stop, O_CLOEXEC | O_NONBLOCK) < 0)
		sys = errno;
	return sys ? sys : start_thread(watch);
}

int watch_begin(watch_tell *tell, void *context, struct watch **ret_watch, struct pinfold_error *err)
{
	struct watch *watch = calloc(1, sizeof(*watch));
	if (!watch)
		return fault_no_memory(err);
	*watch = (struct watch){ .tell = tell, .context = context, .host_end = -1, .child_end = -1, .stop = { -1, -1 } };
	int sys = open_ends(watch);
	if (sys != 0) {
		watch_free(watch);
		return fault(err, PINFOLD_E_SYSTEM, sys, "listen to what the command tries", "[pinfold] denials",
			     "raise the limit of processes (ulimit -u) or of open files (ulimit -n), or leave it out");
	}
	*ret_watch = watch;
	return 0;
}

void watch_refuse(struct watch *watch, const struct pinfold_plan *plan)
{
	bool has = PINFOLD_REACHES(plan, told_count);
	watch->told = has ? plan->told : NULL;
	watch->told_count = has ? plan->told_count : 0;
}

int watch_child_end(const struct watch *watch)
{
	return watch ? watch->child_end : -1;
}

void watch_started(struct watch *watch)
{
	if (!watch)
		return;
	cleanup_fd(&watch->child_end);
	watch->child_end = -1;
}

/* The kernel tells of the last end a moment after it. */
const char *watch_end(struct watch *watch, bool all_ended)
{
	struct timespec until;
	if (!watch)
		return NULL;
	watch_started(watch);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += all_ended ? LATEST_MILLISECONDS / 1000 : 0;
	if (pthread_timedjoin_np(watch->thread, NULL, &until) != 0) {
		ssize_t told = write(watch->stop[1], "", 1);
		(void)told;
		pthread_join(watch->thread, NULL);
	}
	const char *trouble = watch->trouble;
	watch_free(watch);
	return trouble;
}

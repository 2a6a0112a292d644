/* cage/listener.c - the thread that listens to what a command's filter asks, and its socket. */
#include "config.h"

#include "cage/listener.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "cage/powers.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>

enum {
	STACK = 256 * 1024,
	LATEST_SECONDS = 2,	/* how long ends may take to be told */
	FIRST_FREE_DESCRIPTOR = 10
};

struct listener {
	struct listening listening;
	int host_end, child_end, stop[2];
	pthread_t thread;
	const char *trouble;	/* written by the thread until it has ended */
	bool unreadable;	/* the same */
};

/* --- the thread --------------------------------------------------------------------------------------- */
/* A descriptor, or -1. */
static int take_listener(const struct listener *listener)
{
	int word = 0, taken = -1;
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec data = { &word, sizeof(word) };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
				  .msg_controllen = sizeof(control) };
	ssize_t got = recvmsg(listener->host_end, &message, MSG_CMSG_CLOEXEC);
	const struct cmsghdr *head = got == sizeof(word) ? CMSG_FIRSTHDR(&message) : NULL;
	if (head && head->cmsg_type == SCM_RIGHTS && head->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(&taken, CMSG_DATA(head), sizeof(taken));
	return taken;
}

static void answer_one(struct listener *listener, int heard)
{
	struct seccomp_notif notice = { 0 };
	if (ioctl(heard, SECCOMP_IOCTL_NOTIF_RECV, &notice) < 0)
		return;
	struct asked asked = {
		.call = { .size = sizeof(asked.call), .number = notice.data.nr, .process = notice.pid },
		.id = notice.id, .listener = heard, .unreadable = &listener->unreadable,
	};
	for (size_t i = 0; i < 6; i++)
		asked.call.arguments[i] = notice.data.args[i];
	long answer = listener->listening.answer(listener->listening.context, &asked.call);
	struct seccomp_notif_resp told = { .id = notice.id };
	if (answer == LISTENER_GO_ON)
		told.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	else
		told.error = answer < 0 ? (int32_t)answer : 0;
	ioctl(heard, SECCOMP_IOCTL_NOTIF_SEND, &told);
}

/* Until nothing is left that could ask; false where the host wants no more. */
static bool serve(struct listener *listener, int heard)
{
	struct pollfd on[2] = { { .fd = heard, .events = POLLIN }, { .fd = listener->stop[0], .events = POLLIN } };
	for (;;) {
		if (poll(on, 2, -1) < 0) {
			if (errno != EINTR)
				return false;
			continue;
		}
		if (on[1].revents)	/* first: who asks without an end must not keep the host */
			break;
		if (on[0].revents & POLLIN)
			answer_one(listener, heard);
		else if (on[0].revents & (POLLHUP | POLLERR))
			return true;
	}
	listener->trouble = "something of the command was still there";
	return false;
}

/* A start that failed may be followed by another: until no child's end is left. */
static void *listener_main(void *argument)
{
	struct listener *listener = argument;
	struct pollfd on[2] = { { .fd = listener->host_end, .events = POLLIN },
				{ .fd = listener->stop[0], .events = POLLIN } };
	bool goes_on = !listener->listening.bare || powers_give_up() == 0;
	while (goes_on) {
		if (poll(on, 2, -1) < 0) {
			goes_on = errno == EINTR;
			continue;
		}
		auto_close int heard = on[0].revents & POLLIN ? take_listener(listener) : -1;
		goes_on = heard >= 0 && serve(listener, heard);
	}
	shutdown(listener->host_end, SHUT_RDWR);	/* so that no child waits for what nobody hears */
	return NULL;
}

/* --- the host ------------------------------------------------------------------------------------------ */
static int start_thread(struct listener *listener)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	if (pthread_attr_init(&attributes) != 0)
		return ENOMEM;
	pthread_attr_setstacksize(&attributes, STACK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);	/* signals are for the caller's threads */
	int sys = pthread_create(&listener->thread, &attributes, listener_main, listener);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return sys;
}

static void listener_free(struct listener *listener)
{
	int *descriptors[] = { &listener->host_end, &listener->child_end, &listener->stop[0], &listener->stop[1] };
	for (size_t i = 0; i < sizeof(descriptors) / sizeof(descriptors[0]); i++)
		cleanup_fd(descriptors[i]);
	free(listener);
}

static int open_ends(struct listener *listener)
{
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return errno;
	listener->host_end = pair[0];
	listener->child_end = fcntl(pair[1], F_DUPFD_CLOEXEC, FIRST_FREE_DESCRIPTOR);
	int sys = listener->child_end < 0 ? errno : 0;
	close(pair[1]);
	if (sys == 0 && pipe2(listener->stop, O_CLOEXEC | O_NONBLOCK) < 0)
		sys = errno;
	return sys ? sys : start_thread(listener);
}

int listener_begin(const struct listening *listening, struct listener **ret_listener, struct pinfold_error *err)
{
	struct listener *listener = calloc(1, sizeof(*listener));
	if (!listener)
		return fault_no_memory(err);
	*listener = (struct listener){
		.listening = *listening, .host_end = -1, .child_end = -1, .stop = { -1, -1 },
	};
	int sys = open_ends(listener);
	if (sys != 0) {
		listener_free(listener);
		return fault(err, PINFOLD_E_SYSTEM, sys, "listen to what the command's filter asks", "this run",
			     "raise the limit of processes (ulimit -u) or of open files (ulimit -n)");
	}
	*ret_listener = listener;
	return 0;
}

int listener_child_end(const struct listener *listener)
{
	return listener ? listener->child_end : -1;
}

void listener_started(struct listener *listener)
{
	if (!listener)
		return;
	cleanup_fd(&listener->child_end);
	listener->child_end = -1;
}

/* The kernel tells of the last end a moment after it. */
const char *listener_end(struct listener *listener, bool all_ended)
{
	struct timespec until;
	if (!listener)
		return NULL;
	listener_started(listener);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += all_ended ? LATEST_SECONDS : 0;
	if (pthread_timedjoin_np(listener->thread, NULL, &until) != 0) {
		ssize_t told = write(listener->stop[1], "", 1);
		(void)told;
		pthread_join(listener->thread, NULL);
	}
	const char *trouble = listener->trouble;
	if (!trouble && listener->unreadable)
		trouble = "something that the command started lets nobody look at it";
	listener_free(listener);
	return trouble;
}

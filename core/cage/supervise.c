/* cage/supervise.c - following a child: its events, signals, terminal and end. */
#include "config.h"

#include "cage/foreground.h"
#include "cage/handle.h"
#include "cage/protocol.h"
#include "cage/survivors.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fault.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* How long an ended supervisor may take to report before it is ended itself: it gives up after five
 * seconds on what the kernel will not let go of. */
enum { LAST_WORD_MILLISECONDS = 10000 };

int child_descriptor(const struct child *child)
{
	return child->control;
}

pid_t child_supervisor(const struct child *child)
{
	return child->supervisor;
}

static void read_status(struct child_event *event, int status)
{
	if (WIFEXITED(status)) {
		event->ending = PINFOLD_ENDED;
		event->value = WEXITSTATUS(status);
	} else {
		event->ending = PINFOLD_SIGNALLED;
		event->value = WTERMSIG(status);
	}
}

static void note_over(struct child *child, const struct init_notice *notice)
{
	child->over = true;
	child->last = (struct child_event){
		.kind = CHILD_OVER,
		.survivors = notice->survivors,
		.left = notice->left,
		.user_nanoseconds = notice->user_nanoseconds,
		.system_nanoseconds = notice->system_nanoseconds,
		.peak_bytes = notice->peak_bytes,
	};
	read_status(&child->last, notice->status);
}

/* The supervisor went without a last word: how the command ended is not known, and what carries the
 * run's mark may still be there. It is counted, not signalled: a mark can be copied. */
static void note_lost(struct child *child)
{
	child->over = true;
	child->last = (struct child_event){
		.kind = CHILD_OVER,
		.ending = PINFOLD_UNKNOWN,
		.left = survivors_count(child->nonce),
	};
}

static bool is_overdue(const struct child *child)
{
	return child->end_by != 0 && clock_nanoseconds() >= child->end_by;
}

int child_event(struct child *child, struct child_event *ret_event, struct pinfold_error *err)
{
	if (child->over) {
		*ret_event = child->last;
		return 0;
	}
	struct init_notice notice;
	ssize_t got = recv(child->control, &notice, sizeof(notice), MSG_DONTWAIT);
	bool nothing = got < 0 && (errno == EAGAIN || errno == EINTR);
	if (nothing && is_overdue(child)) {
		syscall(SYS_pidfd_send_signal, child->supervisor_fd, SIGKILL, NULL, 0);
	} else if (nothing) {
		*ret_event = (struct child_event){ .kind = CHILD_NOTHING };
		return 0;
	}
	if (got < 0 && !nothing && errno != ECONNRESET)
		return fault(err, PINFOLD_E_SYSTEM, errno, "hear from the supervisor", "this run",
			     "report this: it should not happen");
	if (got == sizeof(notice) && notice.what == INIT_NOTICE_STOPPED) {
		*ret_event = (struct child_event){
			.kind = CHILD_STOPPED,
			.value = WSTOPSIG(notice.status),
		};
		return 0;
	}
	if (got == sizeof(notice) && notice.what == INIT_NOTICE_OVER)
		note_over(child, &notice);
	else
		note_lost(child);
	*ret_event = child->last;
	return 0;
}

/* A supervisor that somebody has stopped must hear it. */
static int order(struct child *child, uint32_t what, int value)
{
	struct init_order said = { .what = what, .value = value };
	if (child->over)
		return 0;
	ssize_t sent = send(child->control, &said, sizeof(said), MSG_NOSIGNAL | MSG_DONTWAIT);
	syscall(SYS_pidfd_send_signal, child->supervisor_fd, SIGCONT, NULL, 0);
	return sent == sizeof(said) ? 0 : -1;
}

int child_signal(struct child *child, int signal_number)
{
	return order(child, INIT_ORDER_SIGNAL, signal_number);
}

int child_end(struct child *child)
{
	if (child->end_by == 0)
		child->end_by = clock_nanoseconds() + LAST_WORD_MILLISECONDS * UINT64_C(1000000);
	if (order(child, INIT_ORDER_END, 0) < 0)	/* behind many others there is no room, but an end */
		shutdown(child->control, SHUT_WR);
	return 0;
}

uint64_t child_deadline(const struct child *child)
{
	return child->over ? 0 : child->end_by;
}

int child_to_foreground(struct child *child)
{
	if (child->own_terminal)
		return order(child, INIT_ORDER_FOREGROUND, 0);
	if (child->terminal < 0)
		return order(child, INIT_ORDER_SIGNAL, SIGCONT);
	child->in_front = true;
	return order(child, INIT_ORDER_FOREGROUND, 0);
}

/* A shell that saw us stopped from outside has taken its terminal itself, and has it to keep. */
static bool is_in_front(const struct child *child)
{
	pid_t front = tcgetpgrp(child->terminal);
	return child->in_front && front != getpgrp() && front != getpgid(getsid(0));
}

int child_to_background(struct child *child)
{
	if (child->terminal < 0)
		return 0;
	int result = is_in_front(child) ? foreground_take(child->terminal) : 0;
	child->in_front = false;
	return result;
}

/* Until it is over, or the supervisor had its time. */
static void await_end(struct child *child)
{
	struct child_event event;
	struct pollfd on = { .fd = child->control, .events = POLLIN };
	while (!child->over) {
		int ready = poll(&on, 1, LAST_WORD_MILLISECONDS);
		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0 || child_event(child, &event, NULL) < 0)
			return;
	}
}

static void reap(int handle)
{
	while (waitid(P_PIDFD, (id_t)handle, &(siginfo_t){ 0 }, WEXITED) < 0 && errno == EINTR)
		;
	close(handle);
}

/* What is left when everything of the command has ended: the supervisor, to be reaped. */
static int end_and_release(struct child *child)
{
	if (!child->over) {
		child_end(child);
		await_end(child);
	}
	if (!child->over)
		syscall(SYS_pidfd_send_signal, child->supervisor_fd, SIGKILL, NULL, 0);
	int handle = child->supervisor_fd;
	cleanup_fd(&child->control);
	cleanup_fd(&child->terminal);
	free(child);
	return handle;
}

void child_free(struct child *child)
{
	if (child)
		reap(end_and_release(child));
}

/* Reaps those that have gone; the list is locked. */
static void reap_gone(struct leaving *leaving)
{
	size_t kept = 0;
	for (size_t i = 0; i < leaving->count; i++) {
		siginfo_t info = { 0 };
		int handle = leaving->handles[i];
		int result = waitid(P_PIDFD, (id_t)handle, &info, WEXITED | WNOHANG);
		if (result == 0 && info.si_pid == 0)
			leaving->handles[kept++] = handle;
		else
			close(handle);
	}
	leaving->count = kept;
}

static bool make_room(struct leaving *leaving)
{
	if (leaving->count < leaving->room)
		return true;
	size_t room = leaving->room ? leaving->room * 2 : 8;
	int *handles = realloc(leaving->handles, room * sizeof(*handles));
	if (!handles)
		return false;
	leaving->handles = handles;
	leaving->room = room;
	return true;
}

void child_leave(struct child *child, struct leaving *leaving)
{
	if (!child || !child->over)
		return child_free(child);
	int handle = end_and_release(child);
	pthread_mutex_lock(&leaving->lock);
	reap_gone(leaving);
	bool left = make_room(leaving);
	if (left)
		leaving->handles[leaving->count++] = handle;
	pthread_mutex_unlock(&leaving->lock);
	if (!left)
		reap(handle);
}

void leaving_await(struct leaving *leaving)
{
	pthread_mutex_lock(&leaving->lock);
	for (size_t i = 0; i < leaving->count; i++)
		reap(leaving->handles[i]);
	free(take_pointer(&leaving->handles));
	leaving->count = leaving->room = 0;
	pthread_mutex_unlock(&leaving->lock);
}

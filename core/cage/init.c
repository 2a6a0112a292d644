/* cage/init.c - the supervisor in a child: reaps, ends everything when the command ends.
 *
 * It runs as pid 1 of the command's namespace, or as a subreaper where there is none, without a C
 * library: it must cost little to execute beside every command, and a command may try to break it.
 */
#include "base/raw.h"
#include "cage/child.h"
#include "cage/init_calls.h"
#include "cage/protocol.h"

struct supervisor {
	int command;		/* its pid, and its process group's */
	int doors[DOORS_MOST];	/* what listens in place of helpers: none of the command's; 0: none */
	int is_first;		/* pid 1: kill(-1) reaches all and no one else */
	int signals;		/* a signalfd for SIGCHLD */
	int ended;
	struct init_notice over;
};

enum { END_ROUNDS = 500, ROUND_MILLISECONDS = 10 };

static void add_usage(struct init_notice *over, const struct rusage *usage)
{
	over->user_nanoseconds += (uint64_t)usage->ru_utime.tv_sec * 1000000000u +
				  (uint64_t)usage->ru_utime.tv_usec * 1000u;
	over->system_nanoseconds += (uint64_t)usage->ru_stime.tv_sec * 1000000000u +
				    (uint64_t)usage->ru_stime.tv_usec * 1000u;
	uint64_t peak = (uint64_t)usage->ru_maxrss * 1024u;
	if (peak > over->peak_bytes)
		over->peak_bytes = peak;
}

static void say(const struct init_notice *notice)
{
	raw(SYS_sendto, INIT_CONTROL, notice, sizeof(*notice), MSG_NOSIGNAL | MSG_DONTWAIT, 0, 0);
}

static int is_door(struct supervisor *self, long pid)
{
	for (int i = 0; i < DOORS_MOST; i++)
		if (self->doors[i] == pid) {
			self->doors[i] = 0;
			return 1;
		}
	return 0;
}

/* One change of state of any child: its pid, 0 when there is none now, negative when there is no child. */
static long reap(struct supervisor *self)
{
	int status = 0;
	struct rusage usage;
	long pid = raw(SYS_wait4, -1, &status, WNOHANG | WUNTRACED | __WALL, &usage);
	if (pid <= 0)
		return pid;
	if (WIFSTOPPED(status)) {
		if (pid == self->command) {
			struct init_notice stopped = { .what = INIT_NOTICE_STOPPED, .status = status };
			say(&stopped);
		}
		return pid;
	}
	add_usage(&self->over, &usage);
	if (is_door(self, pid))
		return pid;
	if (pid == self->command) {
		self->ended = 1;
		self->over.status = status;
	} else if (self->ended && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
		self->over.survivors++;
	}
	return pid;
}

/* Sends SIGKILL to every own child: what they leave behind comes to the subreaper in turn. A child
 * keeps its pid until it is reaped here, so none of them can be anybody else's. */
static void kill_children(struct supervisor *self)
{
	char text[4096];
	int file = (int)raw(SYS_openat, AT_FDCWD, "/proc/thread-self/children", O_RDONLY | O_CLOEXEC, 0);
	self->over.left = 0;
	if (file < 0)
		return;
	long got, pid = 0;
	while ((got = raw(SYS_read, file, text, sizeof(text))) > 0) {
		for (long i = 0; i < got; i++) {
			if (text[i] >= '0' && text[i] <= '9') {
				pid = pid * 10 + (text[i] - '0');
				continue;
			}
			if (pid > 1 && raw(SYS_kill, pid, SIGKILL) < 0)
				self->over.left++;
			pid = 0;
		}
	}
	raw(SYS_close, file);
}

static void kill_all(struct supervisor *self)
{
	if (self->is_first)
		raw(SYS_kill, -1, SIGKILL);
	else
		kill_children(self);
}

static void wait_a_little(struct supervisor *self)
{
	struct pollfd on = { .fd = self->signals, .events = POLLIN };
	struct timespec round = { .tv_nsec = ROUND_MILLISECONDS * 1000000L };
	struct signalfd_siginfo info[8];
	if (raw(SYS_ppoll, &on, 1, &round, 0, 8) > 0)
		raw(SYS_read, self->signals, info, sizeof(info));
}

/* Ends whatever is there and reports. Bounded: what the kernel will not let go of is reported. */
static void end_everything(struct supervisor *self)
{
	for (int round = 0; round < END_ROUNDS; round++) {
		long pid = 1;
		if (round > 0 || !self->ended || !self->is_first)
			kill_all(self);
		else if ((pid = reap(self)) != -ECHILD)
			kill_all(self);
		while (pid > 0)
			pid = reap(self);
		if (pid == -ECHILD) {
			self->over.left = 0;
			break;
		}
		if (self->is_first)
			self->over.left = 1;
		wait_a_little(self);
	}
	self->over.what = INIT_NOTICE_OVER;
	say(&self->over);
}

/* 0, or 1 when everything is to be ended. */
static int obey(struct supervisor *self)
{
	struct init_order order;
	long got = raw(SYS_recvfrom, INIT_CONTROL, &order, sizeof(order), MSG_DONTWAIT, 0, 0);
	if (got == -EAGAIN || got == -EINTR)
		return 0;
	if (got != sizeof(order) || order.what == INIT_ORDER_END)
		return 1;
	if (order.what == INIT_ORDER_FOREGROUND) {
		raw(SYS_ioctl, INIT_TERMINAL, TIOCSPGRP, &self->command);
		order.value = SIGCONT;
	}
	raw(SYS_kill, -self->command, order.value);
	return 0;
}

static void supervise(struct supervisor *self)
{
	struct pollfd on[2] = {
		{ .fd = INIT_CONTROL, .events = POLLIN },
		{ .fd = self->signals, .events = POLLIN },
	};
	struct signalfd_siginfo info[8];
	for (;;) {
		while (reap(self) > 0)
			;
		if (self->ended)
			return;
		if (raw(SYS_ppoll, on, 2, 0, 0, 8) < 0)
			continue;
		if (on[0].revents && obey(self))
			return;
		if (on[1].revents)
			raw(SYS_read, self->signals, info, sizeof(info));
	}
}

static void be_supervisor(char **pids)
{
	struct supervisor self = { .command = init_number(pids[0]) };
	unsigned long children = 1ul << (SIGCHLD - 1);
	raw(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
	for (int i = 0; i < DOORS_MOST && pids[1 + i]; i++)
		self.doors[i] = init_number(pids[1 + i]);
	self.is_first = raw(SYS_getpid) == 1;
	self.signals = (int)raw(SYS_signalfd4, -1, &children, 8, SFD_CLOEXEC | SFD_NONBLOCK);
	if (self.command > 1 && self.signals >= 0)
		supervise(&self);
	end_everything(&self);
}

void init_main(long *stack)
{
	char **argv = (char **)(stack + 1);
	if (stack[0] >= 3 && init_same(argv[1], INIT_AS_SUPERVISOR))
		be_supervisor(argv + 2);
	else if (stack[0] == 4 && init_same(argv[1], INIT_AS_RUNNER))
		init_run(init_number(argv[2]), init_number(argv[3]));
	else if (stack[0] > 2 + INIT_DOOR_COUNTS && init_same(argv[1], INIT_AS_DOOR))
		init_door(argv + 2, argv + stack[0] + 1);
	for (;;)
		raw(SYS_exit_group, 125);
}

/* cage/helpers.c - what is to run before the command begins, confined as it is. */
#include "config.h"

#include "cage/helpers.h"

#include "base/raw.h"
#include "cage/birth.h"
#include "cage/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

#ifndef MFD_EXEC
#define MFD_EXEC 0x10U	/* Linux 6.3 wants to be told */
#endif

enum { TRIES = 3, STREAMS = 3, WAITING_MOST = 4096 };
#define SECOND UINT64_C(1000000000)

struct helper_task {
	const struct launch_helper *helper;
	const char *const *envp;
};

static IN_CHILD void only_streams(void)
{
	raw(SYS_close_range, 0, ~0u, 0);
	raw(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR, 0);
	for (int i = 1; i < STREAMS; i++)
		raw(SYS_dup3, 0, i, 0);
}

static IN_CHILD int helper_main(void *argument)
{
	const struct helper_task *task = argument;
	const char *const *program = task->helper->programs;
	unsigned long none = 0;
	only_streams();
	raw(SYS_rt_sigprocmask, SIG_SETMASK, &none, 0, 8);
	for (; *program; program++)
		raw(SYS_execve, *program, task->helper->argv, task->envp);
	raw(SYS_exit_group, 127);
	return 127;
}

/* A second, or what is left of it until the deadline. */
static IN_CHILD struct timespec limit_of(const struct launch *launch)
{
	struct timespec now = { 0 };
	raw(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	uint64_t past = (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec, until = launch->helper_deadline;
	uint64_t left = until == 0 || until > past + SECOND ? SECOND : until > past ? until - past : 0;
	return (struct timespec){ .tv_sec = (time_t)(left / SECOND), .tv_nsec = (long)(left % SECOND) };
}

/* True where it says that all is well. */
static IN_CHILD bool start(struct helper_task *task, struct timespec limit, char *stack)
{
	int handle = -1, status = 0;
	int pid = clone(helper_main, stack, CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, task, &handle);
	if (pid < 0)
		return false;
	struct pollfd on = { .fd = handle, .events = POLLIN };
	bool ended = raw(SYS_ppoll, &on, 1, &limit, 0, 8) == 1;
	if (!ended)
		raw(SYS_kill, pid, SIGKILL);
	raw(SYS_wait4, pid, &status, 0, 0);
	raw(SYS_close, handle);
	return ended && status == 0;
}

static IN_CHILD long listen_at(const struct endpoint *entrance)
{
	int yes = 1;
	long fd = raw(SYS_socket, entrance->address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return fd;
	raw(SYS_setsockopt, fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	long result = raw(SYS_bind, fd, &entrance->address, entrance->bytes);
	if (result >= 0)
		result = raw(SYS_listen, fd, WAITING_MOST);
	if (result < 0)
		raw(SYS_close, fd);
	return result < 0 ? result : fd;
}

/* Each at its own number, which nobody has yet; how many there are. */
static IN_CHILD int open_entrances(const struct launch_door *door)
{
	int count = 0;
	for (int i = 0; i < (int)door->entrance_count; i++) {
		long fd = listen_at(&door->entrances[i]);
		count += fd >= 0;
		if (fd < 0)
			fd = raw(SYS_dup3, 0, INIT_DOOR + i, O_CLOEXEC);
		raw(SYS_fcntl, fd, F_SETFD, 0);
	}
	return count;
}

/* In a file of its own, which nobody can change: through the program of a process its file could be opened, outside of
 * the view. */
static IN_CHILD long copy_image(const struct launch_door *door)
{
	const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
	long fd = raw(SYS_memfd_create, "pinfold-init", flags | MFD_EXEC);
	if (fd == -EINVAL)
		fd = raw(SYS_memfd_create, "pinfold-init", flags);
	if (fd < 0 || raw(SYS_write, fd, door->image, door->image_bytes) != (long)door->image_bytes)
		return -ENOSPC;
	long result = raw(SYS_fcntl, fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
	return result < 0 ? result : fd;
}

static IN_CHILD int door_main(void *argument)
{
	const struct helper_task *task = argument;
	const struct launch_door *door = task->helper->door;
	only_streams();
	raw(SYS_setsid);
	long image = open_entrances(door) > 0 ? copy_image(door) : -1;
	if (image >= 0)
		raw(SYS_execveat, image, "", door->argv, task->envp, AT_EMPTY_PATH);
	raw(SYS_exit_group, 127);
	return 127;
}

/* The supervisor's child: the command must not find one that it does not know of. It listens when this returns. */
static IN_CHILD int open_door(struct helper_task *task, char *stack)
{
	int pid = clone(door_main, stack, CLONE_VM | CLONE_VFORK | CLONE_PARENT | SIGCHLD, task);
	return pid < 0 ? 0 : pid;
}

void IN_CHILD helpers_start(const struct launch *launch, char *stack, int ret_doors[DOORS_MOST])
{
	for (size_t i = 0; i < launch->helper_count; i++) {
		struct helper_task task = { .helper = &launch->helpers[i], .envp = launch->envp };
		if (task.helper->door) {
			ret_doors[i % DOORS_MOST] = task.helper->door->entrance_count ? open_door(&task, stack) : 0;
			continue;
		}
		for (int tries = 0; tries < TRIES && !start(&task, limit_of(launch), stack); tries++)
			;
	}
}

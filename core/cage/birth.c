/* cage/birth.c - from clone to exec: the supervisor-to-be and the command's task. */
#include "config.h"

#include "cage/birth.h"

#include "base/raw.h"
#include "cage/away.h"
#include "cage/helpers.h"
#include "cage/protocol.h"
#include "cage/shed.h"
#include "cage/watch_install.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

/* The kernel's own form: libc's differs and needs libc's restorer. */
struct kernel_action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	unsigned long mask;
};

static IN_CHILD long failed(struct birth *birth, uint32_t step, long result)
{
	if (result < 0 && birth->failed_step == CHILD_STEP_NONE) {
		birth->failed_step = step;
		birth->failed_sys = (int32_t)-result;
	}
	return result;
}

static IN_CHILD void wake(uint32_t *word, uint32_t value)
{
	__atomic_store_n(word, value, __ATOMIC_SEQ_CST);
	raw(SYS_futex, word, FUTEX_WAKE, 1, 0, 0, 0);
}

static IN_CHILD void sleep_while(uint32_t *word, uint32_t value)
{
	struct timespec moment = { .tv_nsec = 50 * 1000000 };
	raw(SYS_futex, word, FUTEX_WAIT, value, &moment, 0, 0);
}

/* The host's handlers must not run here; what it ignores stays ignored, as a shell would have it. */
static IN_CHILD void reset_signals(void)
{
	for (int number = 1; number <= 64; number++) {
		struct kernel_action action = { 0 };
		if (number == SIGKILL || number == SIGSTOP)
			continue;
		raw(SYS_rt_sigaction, number, 0, &action, 8);
		if (action.handler != SIG_DFL && (action.handler != SIG_IGN || number == SIGCHLD)) {
			action = (struct kernel_action){ .handler = SIG_DFL };
			raw(SYS_rt_sigaction, number, &action, 0, 8);
		}
	}
}

static IN_CHILD long loopback_up(void)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	long any = raw(SYS_socket, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (any < 0)
		return any;
	long result = raw(SYS_ioctl, any, SIOCSIFFLAGS, &request);
	raw(SYS_close, any);
	return result;
}

static IN_CHILD long own_network(void)
{
	long result = raw(SYS_unshare, CLONE_NEWNET);
	return result < 0 ? result : loopback_up();
}

static IN_CHILD long own_session(const struct birth *birth)
{
	return birth->launch->own_session ? raw(SYS_setsid) : raw(SYS_setpgid, 0, 0);
}

/* Not before the launch: until then the terminal's signals are the host's. */
static IN_CHILD long take_foreground(const struct birth *birth)
{
	int self = (int)raw(SYS_getpid);
	return birth->foreground ? raw(SYS_ioctl, birth->terminal, TIOCSPGRP, &self) : 0;
}

static IN_CHILD long limits(const struct launch *launch)
{
	for (size_t i = 0; i < launch->limit_count; i++) {
		long result = raw(SYS_prlimit64, 0, launch->limits[i].resource,
				  &launch->limits[i].value, 0);
		if (result < 0)
			return result;
	}
	if (launch->priority == 0)
		return 0;
	/* The system call gives 20 - niceness, so that it is never negative. */
	long nice = 20 - raw(SYS_getpriority, PRIO_PROCESS, 0) + launch->priority;
	return raw(SYS_setpriority, PRIO_PROCESS, 0, nice > 19 ? 19 : nice);
}

static IN_CHILD long enter(const struct launch *launch, uint32_t stage)
{
	return launch->arm && launch->arm->enter ? launch->arm->enter(launch->plan, stage) : 0;
}

static IN_CHILD long descriptors(const struct birth *birth)
{
	for (int i = 0; i < 3; i++) {
		long result = raw(SYS_dup3, birth->streams[i], i, 0);
		if (result < 0)
			return result;
	}
	long result = shed_on_exec();
	const int *kept = birth->launch->kept;
	for (size_t i = 0; result >= 0 && kept && kept[i] >= 0; i++)
		if (kept[i] > 2)
			result = raw(SYS_fcntl, kept[i], F_SETFD, 0);
	return result;
}

/* The supervisor stays outside, where no ceiling of the command's is in its way. The cgroup is the root of what the
 * command sees of cgroups. */
static IN_CHILD long enter_group(const struct birth *birth)
{
	long result = birth->group ? raw(SYS_write, birth->group, "0", 1) : 0;
	if (result > 0 && birth->namespaces & CLONE_NEWCGROUP)
		result = raw(SYS_unshare, CLONE_NEWCGROUP);
	return result;
}

/* What does not need the view goes on beside its being laid. */
static IN_CHILD long first_steps(struct birth *birth)
{
	const struct launch *launch = birth->launch;
	long result = failed(birth, CHILD_STEP_SESSION, own_session(birth));
	if (result >= 0)
		result = failed(birth, CHILD_STEP_GROUP, enter_group(birth));
	if (result >= 0)
		result = failed(birth, CHILD_STEP_RLIMIT, limits(launch));
	if (result >= 0)
		result = failed(birth, CHILD_STEP_APPLY, enter(launch, PINFOLD_STAGE_APPLY));
	return result;
}

/* The arm's, where its own filter asks. */
static IN_CHILD int made_listener(const struct pinfold_plan *plan)
{
	return plan && PINFOLD_HAS(plan, listener) ? *plan->listener : -EBADF;
}

static IN_CHILD long last_steps(struct birth *birth)
{
	const struct launch *launch = birth->launch;
	unsigned long none = 0;
	long result = failed(birth, CHILD_STEP_SESSION, take_foreground(birth));
	if (result >= 0)
		result = failed(birth, CHILD_STEP_VERIFY, enter(launch, PINFOLD_STAGE_VERIFY));
	if (result >= 0 && launch->plan && launch->plan->consumes)
		result = failed(birth, CHILD_STEP_CONSUME, enter(launch, PINFOLD_STAGE_CONSUME));
	if (result >= 0 && launch->watch)
		result = failed(birth, CHILD_STEP_WATCH,
				watch_install(launch->watch, launch->watch_filter, made_listener(launch->plan)));
	if (result >= 0)
		result = failed(birth, CHILD_STEP_FDS, descriptors(birth));
	if (result >= 0)
		result = failed(birth, CHILD_STEP_DIRECTORY, raw(SYS_chdir, launch->directory));
	if (result < 0)
		return result;
	helpers_start(launch, birth->command_stack - BIRTH_STACK / 2, birth->doors);
	raw(SYS_rt_sigprocmask, SIG_SETMASK, &none, 0, 8);
	result = raw(SYS_execve, launch->program, launch->argv, launch->envp);
	return failed(birth, CHILD_STEP_EXEC, result);
}

static IN_CHILD uint32_t await(uint32_t *order)
{
	uint32_t value;
	while ((value = __atomic_load_n(order, __ATOMIC_SEQ_CST)) == BIRTH_WAIT)
		sleep_while(order, BIRTH_WAIT);
	return value;
}

static IN_CHILD int command_main(void *argument)
{
	struct birth *birth = argument;
	/* Should the supervisor die, so must the command; it is gone with the first exec of a set-user-ID
	 * program, which no_new_privs forbids. */
	raw(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	long result = raw(SYS_getppid) == birth->supervisor ? 0 : -ESRCH;	/* died before that */
	if (result >= 0 && birth->own_network)
		result = failed(birth, CHILD_STEP_NAMESPACES, own_network());
	wake(&birth->network_done, 1);
	if (result >= 0 && await(&birth->launched) == BIRTH_GO_ON)
		result = first_steps(birth);
	if (result >= 0 && await(&birth->go) == BIRTH_GO_ON)
		last_steps(birth);
	raw(SYS_exit_group, 125);
	return 125;
}

static IN_CHILD long write_file(const char *path, const char *text)
{
	long length = 0;
	while (text[length])
		length++;
	long file = raw(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC);
	if (file < 0)
		return file;
	long result = raw(SYS_write, file, text, length);
	raw(SYS_close, file);
	return result;
}

static IN_CHILD uint32_t await_order(const struct birth *birth);

/* What more than its own ids needs is the host's alone to do. */
static IN_CHILD long await_ids(struct birth *birth)
{
	birth->given_up = await_order(birth) != BIRTH_MAPPED;
	return birth->given_up ? -ECANCELED : 0;
}

static IN_CHILD long map_ids(struct birth *birth)
{
	if (birth->mapped_by_host)
		return await_ids(birth);
	static const char *const files[] = { "/proc/self/setgroups", "/proc/self/uid_map",
					     "/proc/self/gid_map" };
	for (int i = 0; i < 3; i++) {
		long result = write_file(files[i], birth->map[i]);
		if (result < 0)
			return result;
	}
	return 0;
}

/* What the command will never have: so it can neither trace the supervisor nor read its memory,
 * whose capabilities an exec by an ordinary user would otherwise drop. */
static IN_CHILD long keep_capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];
	long result = raw(SYS_capget, &header, data);
	if (result < 0)
		return result;
	data[0].inheritable |= 1u << CAP_KILL | 1u << CAP_SYS_PTRACE;
	result = raw(SYS_capset, &header, data);
	if (result >= 0)
		result = raw(SYS_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_KILL, 0, 0);
	if (result >= 0)
		result = raw(SYS_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_PTRACE, 0, 0);
	return result;
}

static IN_CHILD long clone_command(struct birth *birth, int *ret_handle)
{
	/* The kernel writes the pid when the task first runs, which may be later than it is asked for. */
	birth->command_task = 1;
	birth->supervisor = (int)raw(SYS_getpid);
	int pid = clone(command_main, birth->command_stack,
			CLONE_VM | CLONE_PIDFD | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD,
			birth, ret_handle, NULL, &birth->command_task);
	if (pid < 0) {
		birth->command_task = 0;
		return -EAGAIN;
	}
	birth->command = pid;
	return 0;
}

/* Lays the view beside the command's making of its network, then joins that network: the supervisor
 * must not stay a way into the host's. */
static IN_CHILD long prepare_for_command(struct birth *birth, int handle)
{
	long result = failed(birth, CHILD_STEP_VIEW, enter(birth->launch, PINFOLD_STAGE_VIEW));
	while (result >= 0 && birth->network_done == 0 && birth->command_task != 0)
		sleep_while(&birth->network_done, 0);
	if (result >= 0 && birth->own_network)
		result = failed(birth, CHILD_STEP_NAMESPACES,
				raw(SYS_setns, handle, CLONE_NEWNET));
	return result;
}

void IN_CHILD birth_wait(int *task)
{
	int value;
	while ((value = __atomic_load_n(task, __ATOMIC_SEQ_CST)) != 0)
		sleep_while((uint32_t *)task, (uint32_t)value);
}

/* The host's word, or its end, which is the end of its socket. A socket and not a futex: the host goes
 * to sleep when it has spoken, and the scheduler then lets us run where it ran. */
static IN_CHILD uint32_t await_order(const struct birth *birth)
{
	uint32_t order;
	long got;
	do
		got = raw(SYS_recvfrom, birth->control, &order, sizeof(order), 0, 0, 0);
	while (got == -EINTR);
	return got == sizeof(order) ? order : BIRTH_GIVE_UP;
}

static IN_CHILD char *write_pid(int pid, char *text)
{
	char digits[16];
	int length = 0, at = 0;
	for (int rest = pid; rest > 0 || length == 0; rest /= 10)
		digits[length++] = (char)('0' + rest % 10);
	while (length > 0)
		text[at++] = digits[--length];
	text[at] = '\0';
	return text;
}

/* The supervisor's own program, with its two or three descriptors and nothing else of the host's. */
static IN_CHILD long become_init(struct birth *birth)
{
	const char *argv[4 + DOORS_MOST] = { "pinfold-init", INIT_AS_SUPERVISOR,
					     write_pid(birth->command, birth->pid_texts[0]) };
	const char *const envp[] = { 0 };
	for (int i = 0, at = 3; i < DOORS_MOST; i++)
		if (birth->doors[i])
			argv[at++] = write_pid(birth->doors[i], birth->pid_texts[1 + i]);
	raw(SYS_chdir, "/");
	raw(SYS_close_range, 0, 2, 0);
	long result = raw(SYS_dup3, birth->control, INIT_CONTROL, 0);
	if (birth->terminal >= 0)
		raw(SYS_dup3, birth->terminal, INIT_TERMINAL, 0);
	else
		raw(SYS_close, INIT_TERMINAL);
	if (result >= 0)
		result = raw(SYS_dup3, birth->init_program, INIT_PROGRAM, O_CLOEXEC);
	if (result >= 0)
		result = raw(SYS_close_range, INIT_PROGRAM + 1, ~0u, 0);
	if (result < 0)
		return result;
	return raw(SYS_execveat, INIT_PROGRAM, "", argv, envp, AT_EMPTY_PATH);
}

/* The least descriptor from `from` on that a task needs, or -1. */
static IN_CHILD int next_needed(const struct birth *birth, int from)
{
	const int own[] = { birth->streams[0], birth->streams[1], birth->streams[2], birth->control,
			    birth->terminal, birth->init_program, birth->watch ? birth->watch : -1,
			    birth->group ? birth->group : -1 };
	int least = -1;
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (own[i] >= from && (least < 0 || own[i] < least))
			least = own[i];
	for (const int *kept = birth->kept; kept && *kept >= 0; kept++)
		if (*kept >= from && (least < 0 || *kept < least))
			least = *kept;
	for (const int *more = birth->inherit; more && *more >= 0; more++)
		if (*more >= from && (least < 0 || *more < least))
			least = *more;
	return least;
}

/* The host goes on meanwhile: a pipe or a lock that another of its threads lets go of must not be held
 * here for as long as a tree is being copied. */
static IN_CHILD long close_strange(const struct birth *birth)
{
	long result = 0;
	int from = 3;
	for (int next; result >= 0 && (next = next_needed(birth, from)) >= 0; from = next + 1)
		if (next > from)
			result = raw(SYS_close_range, from, next - 1, 0);
	return result < 0 ? result : raw(SYS_close_range, from, ~0u, 0);
}

/* A process group whose parents are all of other sessions would not be stopped by its terminal: so the
 * supervisor leads the session, and the command has a group in it. */
static IN_CHILD long session_with_terminal(const struct birth *birth)
{
	long result = raw(SYS_setsid);
	return result < 0 ? result : raw(SYS_ioctl, birth->terminal, TIOCSCTTY, 0);
}

static IN_CHILD long supervisor_steps(struct birth *birth)
{
	reset_signals();
	long result = failed(birth, CHILD_STEP_FDS, close_strange(birth));
	if (result >= 0 && birth->own_terminal)
		result = failed(birth, CHILD_STEP_SESSION, session_with_terminal(birth));
	if (result >= 0 && birth->beside)
		result = failed(birth, CHILD_STEP_NAMESPACES, raw(SYS_unshare, birth->beside));
	if (result < 0)
		return result;
	if (birth->namespaces & CLONE_NEWUSER)
		result = failed(birth, CHILD_STEP_NAMESPACES, map_ids(birth));
	if (result >= 0 && !(birth->namespaces & CLONE_NEWPID))
		result = failed(birth, CHILD_STEP_SUPERVISE,
				raw(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0));
	if (result >= 0 && birth->namespaces & CLONE_NEWUSER)
		result = failed(birth, CHILD_STEP_SUPERVISE, keep_capabilities());
	if (result >= 0)
		result = failed(birth, CHILD_STEP_FDS, handed_reopen(birth->handed, birth->handed_count,
								     &birth->not_handed));
	return result;
}

/* The command's first steps go on beside the laying of the view, where the host ran until now. */
static IN_CHILD void send_on(struct birth *birth, bool wanted)
{
	struct away away;
	away_look(&away);
	int sent = wanted && away_send(&away, birth->command);
	wake(&birth->launched, wanted ? BIRTH_GO_ON : BIRTH_GIVE_UP);
	if (sent)
		away_allow(&away, birth->command);
}

/* What an arm can do before the launch it does when the arm is known, and when its plan is complete. */
static IN_CHILD bool await_launch(struct birth *birth, int handle, long *result)
{
	uint32_t order;
	bool laid = false;
	while ((order = await_order(birth)) == BIRTH_AHEAD || order == BIRTH_LAY) {
		if (*result < 0)
			continue;
		if (order == BIRTH_AHEAD)
			birth->arm->enter(birth->plan, PINFOLD_STAGE_AHEAD);
		else if (!laid)
			send_on(birth, true);
		if (order == BIRTH_LAY && !laid)
			*result = prepare_for_command(birth, handle);
		laid |= order == BIRTH_LAY;
	}
	bool wanted = order == BIRTH_GO_ON;
	if (*result >= 0 && !laid) {
		send_on(birth, wanted);
		*result = wanted ? prepare_for_command(birth, handle) : 0;
	} else if (*result >= 0 && wanted) {
		*result = failed(birth, CHILD_STEP_VIEW, enter(birth->launch, PINFOLD_STAGE_VIEW));
	}
	return wanted;
}

int IN_CHILD birth_supervisor(void *argument)
{
	struct birth *birth = argument;
	int handle = -1;
	away_leave(&birth->host);
	long result = supervisor_steps(birth);
	if (result >= 0)
		result = failed(birth, CHILD_STEP_SUPERVISE, clone_command(birth, &handle));
	if (result >= 0 && birth->ahead)
		birth->arm->enter(birth->plan, PINFOLD_STAGE_AHEAD);
	bool wanted = !birth->given_up && await_launch(birth, handle, &result);
	if (birth->command_task != 0) {
		wake(&birth->go, wanted && result >= 0 ? BIRTH_GO_ON : BIRTH_GIVE_UP);
		birth_wait(&birth->command_task);
	}
	if (wanted && result >= 0 && birth->failed_step == CHILD_STEP_NONE)
		failed(birth, CHILD_STEP_FOLLOW, become_init(birth));
	raw(SYS_exit_group, 125);
	return 125;
}

/* tests/walk.c - an act is done again and again, and each time another of its system calls fails. */
#include "config.h"

#include "walk.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALL(name) { SYS_##name, #name }

/* What reaches the file system; the rest (memory, signals, threads) has other tests. */
static const struct call {
	long number;
	const char *name;
} calls[] = {
	CALL(openat), CALL(openat2), CALL(read), CALL(pread64), CALL(write), CALL(pwrite64),
	CALL(readlinkat), CALL(statx), CALL(fstat), CALL(newfstatat), CALL(statfs), CALL(fstatfs),
	CALL(getdents64), CALL(lseek), CALL(ftruncate), CALL(fallocate), CALL(copy_file_range),
	CALL(sendfile), CALL(ioctl), CALL(mkdirat), CALL(unlinkat), CALL(symlinkat), CALL(linkat),
	CALL(mknodat), CALL(renameat2), CALL(fchmod), CALL(fchmodat), CALL(fchown), CALL(fchownat),
	CALL(utimensat), CALL(fsync), CALL(fdatasync), CALL(syncfs), CALL(flock), CALL(faccessat),
	CALL(faccessat2), CALL(flistxattr), CALL(fgetxattr), CALL(fsetxattr), CALL(fremovexattr),
	CALL(lgetxattr), CALL(llistxattr), CALL(execve),
	{ 452, "fchmodat2" },
#ifdef SYS_open
	CALL(open), CALL(stat), CALL(lstat), CALL(access), CALL(mkdir), CALL(rmdir), CALL(unlink),
	CALL(rename), CALL(symlink), CALL(link), CALL(chmod), CALL(readlink),
#endif
#ifdef SYS_renameat
	CALL(renameat),
#endif
};

static const int faults[] = { 0, ENOSPC, EIO, EINTR, EACCES };

static struct walked current;
static bool under_way;

/* One child, and the fault that it is to meet. */
struct trial {
	pid_t child;
	unsigned target;	/* the call that fails */
	int failure;
	unsigned seen;
	pid_t failing;		/* the task whose call was taken from it */
	const char *name;	/* of that call */
};

static const struct call *find_call(long number)
{
	for (size_t i = 0; i < N_ELEMENTS(calls); i++)
		if (calls[i].number == number)
			return &calls[i];
	return NULL;
}

#if defined(__x86_64__)
static int take_call(pid_t task)
{
	return (int)ptrace(PTRACE_POKEUSER, task, offsetof(struct user_regs_struct, orig_rax), -1L);
}

static int give_result(pid_t task, long result)
{
	return (int)ptrace(PTRACE_POKEUSER, task, offsetof(struct user_regs_struct, rax), result);
}
#elif defined(__aarch64__)
static int take_call(pid_t task)
{
	int none = -1;
	struct iovec room = { &none, sizeof(none) };
	return (int)ptrace(PTRACE_SETREGSET, task, NT_ARM_SYSTEM_CALL, &room);
}

static int give_result(pid_t task, long result)
{
	struct user_regs_struct registers;
	struct iovec room = { &registers, sizeof(registers) };
	if (ptrace(PTRACE_GETREGSET, task, NT_PRSTATUS, &room) < 0)
		return -1;
	registers.regs[0] = (unsigned long)result;
	return (int)ptrace(PTRACE_SETREGSET, task, NT_PRSTATUS, &room);
}
#else
static int take_call(pid_t task)
{
	(void)task;
	errno = ENOSYS;
	return -1;
}
#define give_result(task, result) take_call(task)
#endif

static void meet_entry(struct trial *trial, pid_t task, long number)
{
	const struct call *call = find_call(number);
	if (!call || trial->seen++ != trial->target)
		return;
	trial->name = call->name;
	if (trial->failure == 0)
		kill(trial->child, SIGKILL);
	else if (take_call(task) == 0)
		trial->failing = task;
}

static void meet_stop(struct trial *trial, pid_t task)
{
	struct __ptrace_syscall_info found;
	if (ptrace(PTRACE_GET_SYSCALL_INFO, task, sizeof(found), &found) <= 0)
		return;
	if (found.op == PTRACE_SYSCALL_INFO_ENTRY) {
		meet_entry(trial, task, (long)found.entry.nr);
	} else if (found.op == PTRACE_SYSCALL_INFO_EXIT && trial->failing == task) {
		give_result(task, -trial->failure);
		trial->failing = 0;
	}
}

/* Until all tasks of the child have ended. Returns the child's status. */
static int follow(struct trial *trial)
{
	int child_status = -1, status;
	for (pid_t task; (task = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR;) {
		if (task <= 0)
			continue;
		if (!WIFSTOPPED(status)) {
			if (task == trial->child)
				child_status = status;
			continue;
		}
		int signal = WSTOPSIG(status), event = status >> 16;
		if (signal == (SIGTRAP | 0x80))
			meet_stop(trial, task);
		bool own = signal == (SIGTRAP | 0x80) || event != 0 || signal == SIGSTOP;
		ptrace(PTRACE_SYSCALL, task, 0, own ? 0 : signal);
	}
	return child_status;
}

static void be_the_child(const struct walk *walk, void *context)
{
	if (ptrace(PTRACE_TRACEME, 0, 0, 0) < 0)
		_exit(77);
	raise(SIGSTOP);
	_exit(walk->act(context) == 0 ? 0 : 1);
}

/* False where nothing can be traced. */
static bool try_once(const struct walk *walk, void *context, struct trial *trial, enum walk_end *ret_end)
{
	int status;
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
			     PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
	fflush(NULL);
	trial->child = fork();
	assert_true(trial->child >= 0);
	if (trial->child == 0)
		be_the_child(walk, context);
	if (waitpid(trial->child, &status, 0) < 0 || !WIFSTOPPED(status))
		return false;
	if (ptrace(PTRACE_SETOPTIONS, trial->child, 0, options) < 0)
		return false;
	ptrace(PTRACE_SYSCALL, trial->child, 0, 0);
	status = follow(trial);
	*ret_end = WIFSIGNALED(status) ? WALK_KILLED :
		   WEXITSTATUS(status) == 0 ? WALK_SUCCEEDED :
					      WALK_FAILED;
	if (WIFSIGNALED(status) && trial->failure != 0)
		fail_msg("%s failed with %s: the act died of signal %d", trial->name,
			 strerrorname_np(trial->failure), WTERMSIG(status));
	return true;
}

/* How many calls there are, when none fails. */
static unsigned count_calls(const struct walk *walk, void *context)
{
	struct trial trial = { .target = UINT32_MAX };
	enum walk_end end;
	if (walk->prepare)
		walk->prepare(context);
	if (!try_once(walk, context, &trial, &end)) {
		print_message("nothing can be traced here\n");
		skip();
	}
	if (end != WALK_SUCCEEDED)
		fail_msg("the act does not succeed without any fault");
	return trial.seen;
}

unsigned walk_run(const struct walk *walk, void *context)
{
	unsigned count = count_calls(walk, context), met = 0;
	size_t kinds = walk->kills ? 1 : N_ELEMENTS(faults), all = count * kinds;
	unsigned most = getenv("WALK_ALL") ? 0 : walk->most;
	size_t step = most && all > most ? all / most : 1;
	/* A step that shares no factor with the faults meets all of them. */
	while (kinds > 1 && step > 1 && step % kinds == 0)
		step++;
	under_way = true;
	for (size_t i = 0; i < all; i += step) {
		struct trial trial = { .target = (unsigned)(i / kinds), .failure = faults[i % kinds] };
		current = (struct walked){ .call = trial.target, .failure = trial.failure };
		if (walk->prepare)
			walk->prepare(context);
		assert_true(try_once(walk, context, &trial, &current.end));
		current.name = trial.name;
		if (!trial.name)
			continue;	/* it made fewer calls this time */
		met++;
		walk->check(context, &current);
	}
	under_way = false;
	return met;
}

bool walk_once(const struct walk *walk, void *context, unsigned call, int failure,
	       enum walk_end *ret_end)
{
	struct trial trial = { .target = call, .failure = failure };
	assert_true(try_once(walk, context, &trial, ret_end));
	return trial.name != NULL;
}

void walk_tell(void)
{
	static const char *const ends[] = { "succeeded", "failed", "was killed" };
	if (under_way)
		print_message("call %u (%s), %s: the act %s\n", current.call, current.name ? current.name : "?",
			      current.failure ? strerrorname_np(current.failure) : "killed", ends[current.end]);
	under_way = false;
}

/* tests/old_kernel.c - answers Landlock's calls as an older kernel would: a filter stops at each, and a tracer
 * refuses what that kernel does not know. All other calls go on undisturbed. */
#include "config.h"

#include "old_kernel.h"

#include <elf.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };

#ifdef __x86_64__

static int stop_at_landlock(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, CREATE_RULESET, 0, 2),
		BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, RESTRICT_SELF, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = { sizeof(code) / sizeof(code[0]), code };
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

/* Handled by a ruleset, in the order of the kernel's structure. */
struct handled {
	uint64_t files, ports, scopes;
};

static struct handled known(int abi)
{
	struct handled all = { .files = (1u << 13) - 1 };
	if (abi >= 2)
		all.files |= 1u << 13;
	if (abi >= 3)
		all.files |= 1u << 14;
	if (abi >= 4)
		all.ports = 3;
	if (abi >= 5)
		all.files |= 1u << 15;
	if (abi >= 6)
		all.scopes = 3;
	return all;
}

static long judge_ruleset(const struct old_kernel *kernel, pid_t task, const struct user_regs_struct *registers)
{
	struct handled all = known(kernel->abi), asked = { 0 };
	size_t bytes = registers->rsi < sizeof(asked) ? registers->rsi : sizeof(asked);
	struct iovec local = { &asked, bytes }, remote = { (void *)registers->rdi, bytes };
	if (registers->rdx == 1)	/* the version */
		return kernel->abi;
	if (registers->rdx != 0)
		return -EINVAL;
	if (process_vm_readv(task, &local, 1, &remote, 1, 0) != (ssize_t)bytes)
		return -EFAULT;
	if ((!all.ports && asked.ports) || (!all.scopes && asked.scopes))
		return -E2BIG;
	return (asked.files & ~all.files) || (asked.ports & ~all.ports) || (asked.scopes & ~all.scopes) ? -EINVAL : 1;
}

/* What the call ends with; 1 where it may go on. */
static long judge(const struct old_kernel *kernel, pid_t task, const struct user_regs_struct *registers)
{
	if (kernel->error)
		return -kernel->error;
	if (kernel->abi == 0)
		return 1;
	if (registers->orig_rax == ADD_RULE)
		return registers->rsi == 2 && kernel->abi < 4 ? -EINVAL : 1;
	if (registers->orig_rax == RESTRICT_SELF)
		return registers->rsi != 0 && kernel->abi < 7 ? -EINVAL : 1;
	return judge_ruleset(kernel, task, registers);
}

static void answer_call(const struct old_kernel *kernel, pid_t task)
{
	struct user_regs_struct registers;
	struct iovec all = { &registers, sizeof(registers) };
	if (ptrace(PTRACE_GETREGSET, task, NT_PRSTATUS, &all) < 0)
		return;
	long result = judge(kernel, task, &registers);
	if (result == 1 && !(registers.orig_rax == CREATE_RULESET && registers.rdx == 1))
		return;
	registers.orig_rax = (unsigned long long)-1;	/* no call at all */
	registers.rax = (unsigned long long)result;
	ptrace(PTRACE_SETREGSET, task, NT_PRSTATUS, &all);
}

static void go_on(const struct old_kernel *kernel, pid_t task, int status)
{
	int event = status >> 16, number = WSTOPSIG(status);
	if (event == PTRACE_EVENT_SECCOMP)
		answer_call(kernel, task);
	if (event == PTRACE_EVENT_STOP && number != SIGTRAP) {
		ptrace(PTRACE_LISTEN, task, 0, 0);
		return;
	}
	ptrace(PTRACE_CONT, task, 0, event ? 0 : number);
}

static int trace(const struct old_kernel *kernel, pid_t first)
{
	int status, ended = -1;
	for (pid_t task; (task = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR;) {
		if (task > 0 && WIFSTOPPED(status))
			go_on(kernel, task, status);
		else if (task == first)
			ended = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
	}
	return ended;
}

/* The tracer is a process of its own, so that it waits for nobody else's children. */
static void be_tracer(const struct old_kernel *kernel, int (*body)(void *), void *context, int report)
{
	int go[2];
	char byte = 0;
	if (pipe(go) < 0)
		_exit(99);
	pid_t child = fork();
	if (child == 0) {
		close(go[1]);
		if (read(go[0], &byte, 1) != 1 || stop_at_landlock() < 0)
			_exit(98);
		close(go[0]);
		_exit(body(context));
	}
	int ended = -1;
	if (child > 0 && ptrace(PTRACE_SEIZE, child, 0,
				PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
					PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL) == 0 &&
	    write(go[1], &byte, 1) == 1) {
		close(go[1]);
		ended = trace(kernel, child);
	}
	_exit(write(report, &ended, sizeof(ended)) == sizeof(ended) ? 0 : 1);
}

int old_kernel_run(const struct old_kernel *kernel, int (*body)(void *context), void *context)
{
	int ends[2], ended = -1;
	if (pipe(ends) < 0)
		return -1;
	pid_t tracer = fork();
	if (tracer == 0)
		be_tracer(kernel, body, context, ends[1]);
	close(ends[1]);
	if (tracer > 0 && read(ends[0], &ended, sizeof(ended)) != sizeof(ended))
		ended = -1;
	close(ends[0]);
	while (tracer > 0 && waitpid(tracer, NULL, 0) < 0 && errno == EINTR)
		;
	return ended;
}

#else

int old_kernel_run(const struct old_kernel *kernel, int (*body)(void *context), void *context)
{
	(void)kernel;
	(void)body;
	(void)context;
	errno = ENOTSUP;
	return -1;
}

#endif

/* cage/launch.c - starting a child: everything is prepared here, so that the tasks only make calls. */
#include "config.h"

#include "cage/birth.h"
#include "cage/handle.h"
#include "cage/through.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/places.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* Past what is overwritten in the tasks: 0 to 2 in the command, to INIT_PROGRAM in the supervisor. */
enum { FIRST_FREE_DESCRIPTOR = 10 };

/* What one start holds, and gives back at its end. */
struct start {
	struct birth birth;
	char *stacks;
	int control[2];
};

static void start_release(struct start *start)
{
	for (int i = 0; i < 3; i++)
		cleanup_fd(&start->birth.streams[i]);
	cleanup_fd(&start->birth.control);
	cleanup_fd(&start->birth.terminal);
	cleanup_fd(&start->birth.init_program);
	cleanup_fd(&start->control[0]);
	if (start->stacks)
		munmap(start->stacks, 2 * (size_t)BIRTH_STACK);
}

static int copy_past(int fd)
{
	return fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FREE_DESCRIPTOR);
}

static int check_kept(const int *kept, struct pinfold_error *err)
{
	for (size_t i = 0; kept && kept[i] >= 0; i++)
		if (kept[i] > 2 && fcntl(kept[i], F_GETFD) < 0)
			return faultf(err, PINFOLD_E_USAGE, errno, "hand a descriptor to the command",
				      "open it before the run, or leave it out", "descriptor %d", kept[i]);
	return 0;
}

static int copy_descriptors(struct start *start, const struct launch *launch,
			    struct pinfold_error *err)
{
	struct birth *birth = &start->birth;
	for (int i = 0; i < 3; i++) {
		birth->streams[i] = copy_past(launch->streams[i]);
		if (birth->streams[i] < 0)
			return faultf(err, PINFOLD_E_SYSTEM, errno, "copy a standard stream",
				      "check that it is open and that descriptors are left (ulimit -n)",
				      "descriptor %d", launch->streams[i]);
	}
	if (launch->terminal >= 0)
		birth->terminal = copy_past(launch->terminal);
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return fault(err, PINFOLD_E_SYSTEM, errno, "make the supervisor's control socket", "this process",
			     "raise the number of open files (ulimit -n)");
	start->control[0] = pair[0];
	birth->control = copy_past(pair[1]);
	int sys = errno;
	close(pair[1]);
	if (birth->control < 0)
		return fault(err, PINFOLD_E_SYSTEM, sys, "make the supervisor's control socket", "this process",
			     "raise the number of open files (ulimit -n)");
	return 0;
}

static int open_init(struct birth *birth, struct pinfold_error *err)
{
	auto_close int program = open(places_init(), O_PATH | O_CLOEXEC);
	birth->init_program = program < 0 ? -1 : copy_past(program);
	if (birth->init_program < 0)
		return fault(err, PINFOLD_E_SYSTEM, errno, "open the supervisor's program",
			     places_init(), "install pinfold completely");
	return 0;
}

/* The command's group gets the terminal when ours has it, unless others of our job may need it: a
 * reader of our output (`pinfold run … | less`) is asked for it when the command does. */
static bool takes_foreground(const struct launch *launch)
{
	struct stat out;
	if (launch->own_session || launch->terminal < 0)
		return false;
	if (fstat(launch->streams[1], &out) == 0 && S_ISFIFO(out.st_mode))
		return false;
	return tcgetpgrp(launch->terminal) == getpgrp();
}

static int prepare(struct start *start, const struct launch *launch, struct pinfold_error *err)
{
	struct birth *birth = &start->birth;
	uint64_t wanted = launch->plan ? launch->plan->namespaces : 0;
	birth->launch = launch;
	birth->own_network = (wanted & CLONE_NEWNET) && (wanted & CLONE_NEWUSER);
	birth->namespaces = birth->own_network ? wanted & ~(uint64_t)CLONE_NEWNET : wanted;
	birth->foreground = takes_foreground(launch);
	snprintf(birth->map[0], sizeof(birth->map[0]), "deny");
	snprintf(birth->map[1], sizeof(birth->map[1]), "%u %u 1", geteuid(), geteuid());
	snprintf(birth->map[2], sizeof(birth->map[2]), "%u %u 1", getegid(), getegid());
	if (check_kept(launch->kept, err) < 0 || copy_descriptors(start, launch, err) < 0 ||
	    open_init(birth, err) < 0)
		return -1;
	void *stacks = mmap(NULL, 2 * (size_t)BIRTH_STACK, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (stacks == MAP_FAILED)
		return fault_no_memory(err);
	start->stacks = stacks;
	birth->command_stack = start->stacks + BIRTH_STACK;
	return 0;
}

/* Clones with every signal blocked: the host's handlers must not run in a task that shares its memory. */
static pid_t give_birth(struct start *start, int *ret_handle, int *ret_sys)
{
	struct birth *birth = &start->birth;
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pid_t pid = clone(birth_supervisor, start->stacks + 2 * BIRTH_STACK,
			  (int)(CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD | birth->namespaces),
			  birth, ret_handle, NULL, NULL);
	*ret_sys = errno;
	if (pid > 0)
		birth_wait_for_command(birth);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return pid;
}

static int fault_of_clone(struct pinfold_error *err, int sys)
{
	const char *lift = sys == ENOSPC ?
		"raise the limit of namespaces (sysctl user.max_user_namespaces)" :
		sys == EPERM || sys == EACCES ?
		"allow user namespaces here, or use another arm: `pinfold probe` shows what they need" :
		"free memory or processes (ulimit -u) and try again";
	return fault(err, PINFOLD_E_SANDBOX_DENIED, sys, "make the namespaces of the command",
		     sys == ENOSPC ? "the limit of namespaces is reached" : "refused by this machine",
		     lift);
}

static int fault_of_exec(const struct launch *launch, int sys, struct pinfold_error *err)
{
	if (sys == ENOENT || sys == ENOTDIR)
		return fault(err, PINFOLD_E_NOT_FOUND, sys, "run the command", launch->program,
			     "check its name, and for a script the interpreter in its first line");
	return fault(err, PINFOLD_E_NOT_EXECUTABLE, sys, "run the command", launch->program,
		     "check that it is a program for this machine and may be executed");
}

static int fault_of_step(const struct launch *launch, uint32_t step, int sys,
			 struct pinfold_error *err)
{
	if (step == CHILD_STEP_EXEC)
		return fault_of_exec(launch, sys, err);
	char action[96];
	snprintf(action, sizeof(action), "confine the command: step `%s` failed, so it never ran",
		 child_step_name(step));
	const char *subject = launch->program;
	if (step == CHILD_STEP_DIRECTORY)
		subject = launch->directory;
	else if (launch->plan && PINFOLD_HAS(launch->plan, failed) && *launch->plan->failed)
		subject = *launch->plan->failed;
	return fault(err, PINFOLD_E_STEP, sys, action, subject,
		     "`pinfold probe` shows what this machine gives; another arm may do");
}

static void find_nonce(struct child *child, const char *const *envp)
{
	for (size_t i = 0; envp[i]; i++)
		if (starts_with(envp[i], "PINFOLD_RUN=") && strlen(envp[i]) < sizeof(child->nonce))
			memcpy(child->nonce, envp[i], strlen(envp[i]) + 1);
}

static struct child *child_new(struct start *start, const struct launch *launch, pid_t pid, int handle)
{
	struct child *child = calloc(1, sizeof(*child));
	if (!child)
		return NULL;
	child->control = take_fd(&start->control[0]);
	child->supervisor = pid;
	child->supervisor_fd = handle;
	child->terminal = launch->own_session ? -1 : take_fd(&start->birth.terminal);
	child->in_front = child->terminal >= 0 && start->birth.foreground;
	find_nonce(child, launch->envp);
	return child;
}

/* Starts what is prepared. `ret_step` gets the step that failed. */
static int start_child(struct start *start, const struct launch *launch, struct child **ret_child,
		       uint32_t *ret_step, struct pinfold_error *err)
{
	int handle = -1, sys = 0;
	pid_t pid = give_birth(start, &handle, &sys);
	if (pid < 0) {
		*ret_step = CHILD_STEP_NAMESPACES;
		return fault_of_clone(err, sys);
	}
	*ret_step = start->birth.failed_step;
	if (*ret_step != CHILD_STEP_NONE) {
		waitid(P_PIDFD, (id_t)handle, &(siginfo_t){ 0 }, WEXITED | __WALL);
		close(handle);
		return fault_of_step(launch, *ret_step, start->birth.failed_sys, err);
	}
	struct child *child = child_new(start, launch, pid, handle);
	if (!child) {
		cleanup_fd(&start->control[0]);
		start->control[0] = -1;
		close(handle);
		return fault_no_memory(err);
	}
	*ret_child = child;
	return 0;
}

static int start_once(const struct launch *launch, struct child **ret_child, uint32_t *ret_step,
		      struct pinfold_error *err)
{
	struct start start = {
		.birth = { .streams = { -1, -1, -1 }, .control = -1, .terminal = -1, .init_program = -1 },
		.control = { -1, -1 },
	};
	int result = prepare(&start, launch, err);
	if (result == 0)
		result = start_child(&start, launch, ret_child, ret_step, err);
	start_release(&start);
	return result;
}

static int start_through(const struct launch *launch, struct child **ret_child, uint32_t *ret_step,
			 struct pinfold_error *err)
{
	struct through through;
	struct child *child = NULL;
	int sys = 0, result = through_prepare(&through, launch, err);
	if (result == 0)
		result = start_once(&through.launch, &child, ret_step, err);
	if (result == 0 && through_wait(&through, ret_step, &sys) < 0) {
		child_end(child);
		child_free(child);
		result = fault_of_step(launch, *ret_step, sys, err);
	} else if (result == 0) {
		*ret_child = child;
	}
	through_release(&through);
	return result;
}

int child_start(const struct launch *launch, struct child **ret_child, uint32_t *ret_step,
		struct pinfold_error *err)
{
	uint32_t step = CHILD_STEP_NONE;
	int result = launch->plan && launch->plan->through ?
		start_through(launch, ret_child, &step, err) :
		start_once(launch, ret_child, &step, err);
	if (ret_step)
		*ret_step = step;
	return result;
}

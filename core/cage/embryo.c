/* cage/embryo.c - beginning a child: what its tasks need is prepared, and their namespaces are begun. */
#include "config.h"

#include "cage/embryo.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/places.h"
#include "cage/ids.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

/* Past what is overwritten in the tasks: 0 to 2 in the command, to INIT_PROGRAM in the supervisor. */
enum { FIRST_FREE_DESCRIPTOR = 10 };

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

static int make_control(struct embryo *embryo, struct pinfold_error *err)
{
	int pair[2] = { -1, -1 };
	bool made = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0;
	if (made) {
		embryo->host_end = copy_past(pair[0]);
		embryo->birth.control = copy_past(pair[1]);
		made = embryo->host_end >= 0 && embryo->birth.control >= 0;
	}
	int sys = errno;
	cleanup_fd(&pair[0]);
	cleanup_fd(&pair[1]);
	if (!made)
		return fault(err, PINFOLD_E_SYSTEM, sys, "make the supervisor's control socket", "this process",
			     "raise the number of open files (ulimit -n)");
	return 0;
}

static int copy_descriptors(struct birth *birth, const struct launch *launch,
			    struct pinfold_error *err)
{
	for (int i = 0; i < 3; i++) {
		birth->streams[i] = copy_past(launch->streams[i]);
		if (birth->streams[i] < 0)
			return faultf(err, PINFOLD_E_SYSTEM, errno, "copy a standard stream",
				      "check that it is open and that descriptors are left (ulimit -n)",
				      "descriptor %d", launch->streams[i]);
	}
	if (launch->terminal >= 0)
		birth->terminal = copy_past(launch->terminal);
	birth->own_terminal = launch->own_terminal;
	birth->watch = launch->watch;
	birth->group = launch->group;
	auto_close int program = open(places_init(), O_PATH | O_CLOEXEC);
	birth->init_program = program < 0 ? -1 : copy_past(program);
	if (birth->init_program < 0)
		return fault(err, PINFOLD_E_SYSTEM, errno, "open the supervisor's program",
			     places_init(), "install pinfold completely");
	return 0;
}

/* What an arm keeps from being written must not be open to the command by what it is handed. */
static int list_handed(struct birth *birth, const struct launch *launch, struct pinfold_error *err)
{
	if (!(birth->namespaces & CLONE_NEWNS))
		return 0;
	return handed_list(birth->streams, launch->kept, &birth->handed, &birth->handed_count, err);
}

static int make_stacks(struct embryo *embryo, struct pinfold_error *err)
{
	void *stacks = mmap(NULL, 2 * (size_t)BIRTH_STACK, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (stacks == MAP_FAILED)
		return fault_no_memory(err);
	embryo->stacks = stacks;
	embryo->birth.command_stack = embryo->stacks + BIRTH_STACK;
	return 0;
}

static int prepare(struct embryo *embryo, const struct launch *launch, struct pinfold_error *err)
{
	struct birth *birth = &embryo->birth;
	uint64_t wanted = embryo->namespaces;
	birth->arm = launch->plan && PINFOLD_HAS(launch->arm, foresee) ? launch->arm : NULL;
	birth->ahead = birth->arm != NULL;
	birth->plan = launch->plan;
	memcpy(embryo->streams, launch->streams, sizeof(embryo->streams));
	birth->kept = launch->kept;
	birth->inherit = launch->plan && PINFOLD_HAS(launch->plan, inherit) ? launch->plan->inherit : NULL;
	birth->mapped_by_host = launch->plan && PINFOLD_HAS(launch->plan, all_ids) && (wanted & CLONE_NEWUSER);
	birth->own_network = (wanted & CLONE_NEWNET) && (wanted & CLONE_NEWUSER);
	birth->namespaces = birth->own_network ? wanted & ~(uint64_t)CLONE_NEWNET : wanted;
	/* Whoever has a user namespace of its own may make all others but that of its own pid. */
	birth->beside = wanted & CLONE_NEWUSER ?
				birth->namespaces & ~(uint64_t)(CLONE_NEWUSER | CLONE_NEWPID) : 0;
	snprintf(birth->map[0], sizeof(birth->map[0]), "deny");
	snprintf(birth->map[1], sizeof(birth->map[1]), "%u %u 1", geteuid(), geteuid());
	snprintf(birth->map[2], sizeof(birth->map[2]), "%u %u 1", getegid(), getegid());
	if (check_kept(launch->kept, err) < 0 || make_control(embryo, err) < 0 ||
	    copy_descriptors(birth, launch, err) < 0 || list_handed(birth, launch, err) < 0)
		return -1;
	return make_stacks(embryo, err);
}

/* Clones with every signal blocked: the host's handlers must not run in a task that shares its memory. */
static int give_birth(struct embryo *embryo)
{
	struct birth *birth = &embryo->birth;
	sigset_t all, before;
	sigfillset(&all);
	/* The kernel writes the pid when the task first runs, which may be later than it is asked for. */
	birth->supervisor_task = 1;
	away_look(&birth->host);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	embryo->supervisor = clone(birth_supervisor, embryo->stacks + 2 * BIRTH_STACK,
				   (int)(CLONE_VM | CLONE_PIDFD | CLONE_CHILD_SETTID |
					 CLONE_CHILD_CLEARTID | SIGCHLD |
					 (birth->namespaces & ~birth->beside)),
				   birth, &embryo->supervisor_fd, NULL, &birth->supervisor_task);
	int sys = errno;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (embryo->supervisor > 0) {
		/* Unless it has run already, and has left by itself. */
		if (away_send(&birth->host, embryo->supervisor))
			away_allow(&birth->host, embryo->supervisor);
		return 0;
	}
	birth->supervisor_task = 0;
	errno = sys;
	return -1;
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

static int fault_of_ids(struct pinfold_error *err, int sys)
{
	return fault(err, PINFOLD_E_SANDBOX_DENIED, sys, "map all ids into the command's namespace",
		     "the caller may not", "run it as root with CAP_SETUID, CAP_SETGID and CAP_SETFCAP");
}

static int give_ids(struct embryo *embryo, struct pinfold_error *err)
{
	const uint32_t order = BIRTH_MAPPED;
	if (ids_map(embryo->supervisor) < 0)
		return fault_of_ids(err, errno);
	if (send(embryo->host_end, &order, sizeof(order), MSG_NOSIGNAL) < 0)
		return fault_of_ids(err, errno);
	return 0;
}

static struct embryo *embryo_new(uint64_t namespaces)
{
	struct embryo *embryo = calloc(1, sizeof(*embryo));
	if (!embryo)
		return NULL;
	embryo->namespaces = namespaces;
	embryo->host_end = embryo->supervisor_fd = -1;
	for (int i = 0; i < 3; i++)
		embryo->birth.streams[i] = -1;
	embryo->birth.control = embryo->birth.terminal = embryo->birth.init_program = -1;
	return embryo;
}

int child_begin(const struct launch *launch, uint64_t namespaces, struct embryo **ret_embryo,
		struct pinfold_error *err)
{
	struct embryo *embryo = embryo_new(namespaces);
	if (!embryo)
		return fault_no_memory(err);
	int result = prepare(embryo, launch, err);
	if (result == 0 && give_birth(embryo) < 0)
		result = fault_of_clone(err, errno);
	if (result < 0) {
		embryo_free(embryo);
		return -1;
	}
	if (embryo->birth.mapped_by_host && give_ids(embryo, err) < 0) {
		child_abandon(embryo);
		return -1;
	}
	*ret_embryo = embryo;
	return 0;
}

static bool keeps_nothing(const int *kept)
{
	return !kept || kept[0] < 0;
}

int child_adopt(struct embryo *embryo, const struct launch *launch)
{
	const uint32_t order = BIRTH_AHEAD;
	struct birth *birth = &embryo->birth;
	if (birth->plan || embryo->namespaces != launch->plan->namespaces ||
	    memcmp(embryo->streams, launch->streams, sizeof(embryo->streams)) != 0 ||
	    (birth->terminal >= 0) != (launch->terminal >= 0) || birth->own_terminal != launch->own_terminal ||
	    birth->watch != launch->watch || birth->group != launch->group || !keeps_nothing(birth->kept) ||
	    !keeps_nothing(launch->kept))
		return -1;
	birth->arm = launch->arm;
	birth->plan = launch->plan;
	return send(embryo->host_end, &order, sizeof(order), MSG_NOSIGNAL) < 0 ? -1 : 0;
}

void child_lay(struct embryo *embryo, const struct launch *launch)
{
	const uint32_t order = BIRTH_LAY;
	embryo->birth.launch = launch;
	/* What cannot be said now shows when it is said to go on. */
	send(embryo->host_end, &order, sizeof(order), MSG_NOSIGNAL);
}

/* A command that is not confined may have stopped its supervisor already. */
static void await_supervisor(struct embryo *embryo)
{
	struct timespec moment = { .tv_nsec = 50 * 1000000 };
	int *task = &embryo->birth.supervisor_task, value;
	while ((value = __atomic_load_n(task, __ATOMIC_SEQ_CST)) != 0)
		if (syscall(SYS_futex, task, FUTEX_WAIT, value, &moment, NULL, 0) < 0 && errno == ETIMEDOUT)
			syscall(SYS_pidfd_send_signal, embryo->supervisor_fd, SIGCONT, NULL, 0);
}

/* A task that could not be told sees that the socket has ended. */
static void let_go_on(struct embryo *embryo, uint32_t order)
{
	struct birth *birth = &embryo->birth;
	if (embryo->host_end >= 0 && send(embryo->host_end, &order, sizeof(order), MSG_NOSIGNAL) < 0) {
		close(embryo->host_end);
		embryo->host_end = -1;
	}
	await_supervisor(embryo);
	birth_wait(&birth->command_task);
}

void embryo_grow(struct embryo *embryo, const struct launch *launch)
{
	embryo->birth.launch = launch;
	let_go_on(embryo, BIRTH_GO_ON);
}

void child_abandon(struct embryo *embryo)
{
	if (!embryo)
		return;
	let_go_on(embryo, BIRTH_GIVE_UP);
	while (waitid(P_PIDFD, (id_t)embryo->supervisor_fd, &(siginfo_t){ 0 }, WEXITED | __WALL) < 0 &&
	       errno == EINTR)
		;
	embryo_free(embryo);
}

void embryo_free(struct embryo *embryo)
{
	int *descriptors[] = {
		&embryo->birth.streams[0], &embryo->birth.streams[1], &embryo->birth.streams[2],
		&embryo->birth.control, &embryo->birth.terminal, &embryo->birth.init_program,
		&embryo->host_end, &embryo->supervisor_fd,
	};
	for (size_t i = 0; i < sizeof(descriptors) / sizeof(descriptors[0]); i++)
		cleanup_fd(descriptors[i]);
	handed_free(embryo->birth.handed, embryo->birth.handed_count);
	if (embryo->stacks)
		munmap(embryo->stacks, 2 * (size_t)BIRTH_STACK);
	free(embryo);
}

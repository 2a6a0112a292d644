/* escape/processes.c - signals, tracing, and other holds on processes outside. */
#include "config.h"

#include "case.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pid_t victim(void) { return (pid_t)number("victim"); }

static long signal_it(void) { return done(kill(victim(), SIGUSR1)); }
static long signal_its_group(void) { return done(kill(-victim(), SIGUSR1)); }
static long signal_its_thread(void) { return done(syscall(SYS_tgkill, victim(), victim(), SIGUSR1)); }
static long signal_its_task(void) { return done(syscall(SYS_tkill, victim(), SIGUSR1)); }
static long stop_it(void) { return done(kill(victim(), SIGSTOP)); }

static long queue_signal(void)
{
	union sigval value = { .sival_int = 1 };
	return done(sigqueue(victim(), SIGUSR1, value));
}

static int hold(void)
{
	return (int)syscall(SYS_pidfd_open, victim(), 0);
}

static long signal_by_descriptor(void)
{
	int fd = hold();
	if (fd < 0)
		return -errno;
	return done(syscall(SYS_pidfd_send_signal, fd, SIGUSR1, NULL, 0));
}

static long signal_by_directory(void)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d", victim());
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return done(syscall(SYS_pidfd_send_signal, fd, SIGUSR1, NULL, 0));
}

static long steal_descriptor(void)
{
	char bytes[64];
	int fd = hold();
	if (fd < 0)
		return -errno;
	int stolen = (int)syscall(SYS_pidfd_getfd, fd, (int)number("victim_fd"), 0);
	if (stolen < 0)
		return -errno;
	ssize_t got = pread(stolen, bytes, sizeof(bytes), 0);
	if (got > 0)
		say(bytes, (size_t)got);
	return done(got);
}

static long advise_memory(void)
{
	char *address = (char *)number("victim_word");
	struct iovec vector = { address - (number("victim_word") & 4095), 4096 };
	int fd = hold();
	if (fd < 0)
		return -errno;
	return done(syscall(SYS_process_madvise, fd, &vector, 1, 20 /* MADV_COLD */, 0));
}

static long trace(void)
{
	int status;
	if (ptrace(PTRACE_ATTACH, victim(), NULL, NULL) < 0)
		return -errno;
	waitpid(victim(), &status, __WALL);
	long result = done(ptrace(PTRACE_POKEDATA, victim(), (void *)number("victim_word"), (void *)0x7777L));
	ptrace(PTRACE_DETACH, victim(), NULL, NULL);
	return result;
}

static long seize(void)
{
	int status;
	if (ptrace(PTRACE_SEIZE, victim(), NULL, NULL) < 0 || ptrace(PTRACE_INTERRUPT, victim(), NULL, NULL) < 0)
		return -errno;
	waitpid(victim(), &status, __WALL);
	errno = 0;
	char bytes[sizeof(long) * 5] = "";
	for (size_t i = 0; i < 5; i++) {
		long word = ptrace(PTRACE_PEEKDATA, victim(), (void *)(number("victim_secret") + (long)(i * sizeof(long))), NULL);
		memcpy(bytes + i * sizeof(long), &word, sizeof(word));
	}
	say(bytes, sizeof(bytes));
	long result = errno ? -errno : 0;
	ptrace(PTRACE_DETACH, victim(), NULL, NULL);
	return result;
}

static long write_memory(void)
{
	long word = 0x6666;
	struct iovec here = { &word, sizeof(word) }, there = { (void *)number("victim_word"), sizeof(word) };
	return done(process_vm_writev(victim(), &here, 1, &there, 1, 0));
}

static long read_memory(void)
{
	char bytes[48];
	struct iovec here = { bytes, sizeof(bytes) }, there = { (void *)number("victim_secret"), sizeof(bytes) };
	ssize_t got = process_vm_readv(victim(), &here, 1, &there, 1, 0);
	if (got > 0)
		say(bytes, (size_t)got);
	return done(got);
}

static long limit(void)
{
	struct rlimit core = { 0, 4096 };
	return done(prlimit(victim(), RLIMIT_CORE, &core, NULL));
}

static long slow(void) { return done(setpriority(PRIO_PROCESS, (id_t)victim(), 15)); }
static long slow_the_group(void) { return done(setpriority(PRIO_PGRP, (id_t)victim(), 14)); }

static long pin(void)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	return done(sched_setaffinity(victim(), sizeof(one), &one));
}

static long schedule(void)
{
	struct sched_param none = { 0 };
	return done(sched_setscheduler(victim(), SCHED_BATCH, &none));
}

static long idle_its_disk(void)
{
	return done(syscall(SYS_ioprio_set, 1, victim(), (3 << 13)));
}

static long compare(void)
{
	return done(syscall(SYS_kcmp, getpid(), victim(), 0, 0, 0));
}

static long move_pages(void)
{
	void *page = (void *)(number("victim_word") & ~4095L);
	int status = 0;
	return done(syscall(SYS_move_pages, victim(), 1UL, &page, NULL, &status, 0));
}

static long robust_list(void)
{
	void *head;
	size_t length;
	return done(syscall(SYS_get_robust_list, victim(), &head, &length));
}

/* The kernel sends the signal for whoever owns the descriptor. */
static long signal_by_owner(void)
{
	int ends[2];
	if (pipe(ends) < 0 || fcntl(ends[0], F_SETOWN, victim()) < 0 || fcntl(ends[0], F_SETSIG, SIGUSR1) < 0 ||
	    fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK) < 0)
		return -errno;
	return done(write(ends[1], "x", 1));
}

static long see(void)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/stat", victim());
	FILE *file = fopen(path, "re");
	char name[64] = "";
	if (!file)
		return -errno;
	int got = fscanf(file, "%*d (%60[^)])", name);
	fclose(file);
	return got == 1 && strcmp(name, "escape-victim") == 0 ? 0 : -ESRCH;
}

static long ask_for_its_session(void) { return done(getsid(victim())); }
static long its_clock(void)
{
	struct timespec now;
	return done(syscall(SYS_clock_gettime, ~victim() << 3 | 2, &now));
}

/* A socket can say that its peer is somebody else, if the kernel lets it. */
static long claim_to_be(void)
{
	int ends[2];
	struct ucred other = { victim(), geteuid(), getegid() };
	char room[CMSG_SPACE(sizeof(other))] = "", byte = 'x';
	struct iovec vector = { &byte, 1 };
	struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof(room) };
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) < 0)
		return -errno;
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	*header = (struct cmsghdr){ CMSG_LEN(sizeof(other)), SOL_SOCKET, SCM_CREDENTIALS };
	memcpy(CMSG_DATA(header), &other, sizeof(other));
	return done(sendmsg(ends[0], &message, 0));
}

#define CASE(name, how, function, mechanism, source) \
	{ name, "processes", how, function, &signals_its_child, mechanism, source }
static const struct row rows[] = {
	CASE("kill", 0, signal_it, "kill() of a process outside, of the same user", "signal(7)"),
	CASE("kill-group", 0, signal_its_group, "kill() of a process group outside", "kill(2)"),
	CASE("kill-thread", 0, signal_its_thread, "tgkill() of a thread outside", "tkill(2)"),
	CASE("kill-task", 0, signal_its_task, "tkill() of a task outside", "tkill(2)"),
	CASE("stop", 0, stop_it, "SIGSTOP to a process outside", "signal(7)"),
	CASE("sigqueue", 0, queue_signal, "sigqueue() to a process outside", "rt_sigqueueinfo(2)"),
	CASE("pidfd-signal", 0, signal_by_descriptor, "pidfd_open() and pidfd_send_signal()", "pidfd_send_signal(2)"),
	CASE("proc-directory-signal", 0, signal_by_directory, "a directory of /proc serves as a pidfd", "pidfd_send_signal(2)"),
	CASE("fcntl-owner", 0, signal_by_owner, "F_SETOWN and O_ASYNC let the kernel send the signal", "fcntl(2)"),
	CASE("pidfd-getfd", 0, steal_descriptor, "pidfd_getfd() takes a descriptor out of a process outside", "pidfd_getfd(2)"),
	CASE("process-madvise", BY_WORD, advise_memory, "process_madvise() pages a process outside out", "process_madvise(2)"),
	CASE("ptrace-attach", 0, trace, "PTRACE_ATTACH and POKEDATA change a process outside", "CVE-2020-5291"),
	CASE("ptrace-seize", 0, seize, "PTRACE_SEIZE and PEEKDATA read a process outside", "CVE-2026-41163"),
	CASE("process-vm-write", 0, write_memory, "process_vm_writev() changes a process outside", "process_vm_readv(2)"),
	CASE("process-vm-read", 0, read_memory, "process_vm_readv() reads a process outside", "process_vm_readv(2)"),
	CASE("prlimit", 0, limit, "prlimit() lowers the limits of a process outside, to its death", "seen past Landlock's scopes"),
	CASE("setpriority", 0, slow, "setpriority() slows a process outside", "seen past Landlock's scopes"),
	CASE("setpriority-group", 0, slow_the_group, "setpriority() slows a process group outside", "setpriority(2)"),
	CASE("affinity", 0, pin, "sched_setaffinity() pins a process outside to one processor", "seen past Landlock's scopes"),
	CASE("scheduler", 0, schedule, "sched_setscheduler() of a process outside", "sched_setscheduler(2)"),
	CASE("io-priority", 0, idle_its_disk, "ioprio_set() of a process outside", "ioprio_set(2)"),
	CASE("kcmp", BY_WORD, compare, "kcmp() compares the kernel's objects of a process outside", "kcmp(2)"),
	CASE("move-pages", BY_WORD, move_pages, "move_pages() asks where memory of a process outside lies", "move_pages(2)"),
	CASE("robust-list", BY_WORD, robust_list, "get_robust_list() gives addresses in a process outside", "get_robust_list(2)"),
	CASE("process-in-sight", BY_WORD, see, "a process outside is seen in /proc by its name", "proc(5)"),
	CASE("session-of-another", BY_WORD, ask_for_its_session, "getsid() tells that a process outside exists", "getsid(2)"),
	CASE("clock-of-another", BY_WORD, its_clock, "the processor time of a process outside is read", "clock_getcpuclockid(3)"),
	CASE("claimed-identity", BY_WORD | ROOT_ONLY, claim_to_be, "SCM_CREDENTIALS with the pid of a process outside", "unix(7)"),
};
const struct class processes_class = CLASS("signals, tracing, descriptors of processes", rows);

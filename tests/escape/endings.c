/* escape/endings.c - outliving the command: each leaves a process that has the token as its name. */
#include "config.h"

#include "case.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LIFE 60	/* seconds, should it really outlive everything */

static void close_streams(void)
{
	int null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
}

__attribute__((noreturn)) static void linger(void)
{
	prctl(PR_SET_NAME, token);
	alarm(LIFE);
	for (;;)
		pause();
}

/* The survivor is up before the attempt says that it is. */
static long leave(void (*prepare)(void))
{
	int ends[2];
	char byte;
	if (pipe(ends) < 0)
		return -errno;
	pid_t child = fork();
	if (child < 0)
		return -errno;
	if (child == 0) {
		prepare();
		prctl(PR_SET_NAME, token);
		if (write(ends[1], "x", 1) != 1)
			_exit(1);
		close(ends[1]);
		linger();
	}
	close(ends[1]);
	return read(ends[0], &byte, 1) == 1 ? 0 : -ECHILD;
}

static void twice(void)
{
	if (fork() != 0)
		_exit(0);
	setsid();
	if (fork() != 0)
		_exit(0);
	close_streams();
	chdir("/") < 0 ? _exit(1) : (void)0;
}

static void in_a_group(void) { setpgid(0, 0); close_streams(); }
static void in_a_session(void) { setsid(); close_streams(); }
static void hold_the_streams(void) { setsid(); }
static void unnamed(void) { twice(); clearenv(); prctl(PR_SET_DUMPABLE, 0); }
static void stopped(void)
{
	in_a_session();
	pid_t child = fork();
	if (child == 0) {
		prctl(PR_SET_NAME, token);
		raise(SIGSTOP);
		linger();
	}
	waitpid(child, NULL, WUNTRACED);
}

static void deaf(void)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	twice();
}

static void reaping(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	in_a_session();
	if (fork() == 0) {
		twice();
		linger();
	}
}

static void beside_its_parent(void)
{
	in_a_session();
	if (syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL) != 0)
		linger();
}

static void traced(void)
{
	in_a_session();
	pid_t child = fork();
	if (child == 0)
		linger();
	ptrace(PTRACE_SEIZE, child, NULL, (void *)PTRACE_O_EXITKILL);
}

static void *wait_for_ever(void *argument)
{
	for (;;)
		pause();
	return argument;
}

/* Its first thread ends, so that /proc shows a zombie with threads that live. */
static void headless(void)
{
	pthread_t thread;
	in_a_session();
	alarm(LIFE);
	pthread_create(&thread, NULL, wait_for_ever, NULL);
}

static long daemonize(void) { return leave(twice); }
static long group(void) { return leave(in_a_group); }
static long session(void) { return leave(in_a_session); }
static long streams(void) { return leave(hold_the_streams); }
static long hidden(void) { return leave(unnamed); }
static long stop(void) { return leave(stopped); }
static long block(void) { return leave(deaf); }
static long reap(void) { return leave(reaping); }
static long sibling(void) { return leave(beside_its_parent); }
static long tracer(void) { return leave(traced); }
static long thread(void) { return leave(headless); }

/* A chain in which every process is gone before it is found. */
static long hop(void)
{
	pid_t child = fork();
	if (child != 0)
		return child < 0 ? -errno : 0;
	close_streams();
	time_t end = time(NULL) + 20;
	while (time(NULL) < end) {
		prctl(PR_SET_NAME, token);
		if (fork() != 0)
			_exit(0);
		setsid();
	}
	_exit(0);
}

/* What the caller kills is pinfold; this must end with it. */
static long outlive_pinfold(void)
{
	long result = leave(twice);
	say("begun", 5);
	alarm(0);
	pause();
	return result;
}

#define CASE(name, how, function, mechanism, source) \
	{ name, "process_tree", how, function, &starts_children, mechanism, source }
static const struct row rows[] = {
	CASE("daemon", 0, daemonize, "forked twice, in a session of its own, streams closed", "daemon(7); sccache's server"),
	CASE("own-group", 0, group, "in a process group of its own", "setpgid(2)"),
	CASE("own-session", 0, session, "in a session of its own", "setsid(2)"),
	CASE("holding-the-streams", 0, streams, "a survivor holds the caller's pipe open, so that he waits for ever", "reports about hanging callers"),
	CASE("without-a-name", 0, hidden, "empty environment, not dumpable: nothing marks it", "proc(5)"),
	CASE("stopped", 0, stop, "stopped, so that it does not act on a signal", "signal(7)"),
	CASE("deaf", 0, block, "with every signal blocked", "signal(7)"),
	CASE("own-reaper", 0, reap, "below a subreaper of its own", "PR_SET_CHILD_SUBREAPER"),
	CASE("sibling", 0, sibling, "CLONE_PARENT makes it a child of its parent's parent", "clone(2)"),
	CASE("tracer", 0, tracer, "a process that is traced by another survivor", "ptrace(2)"),
	CASE("headless", 0, thread, "a process whose first thread may end before the others", "pthread_exit(3)"),
	CASE("forking-away", 0, hop, "a chain of forks in which each process lives for an instant", "reports about fork bombs"),
	CASE("pinfold-killed", KILLED, outlive_pinfold, "pinfold itself is killed while the command runs", "bubblewrap's --die-with-parent"),
};
const struct class endings_class = CLASS("outliving the command", rows);

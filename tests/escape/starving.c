/* escape/starving.c - taking what the host has: the caller's time limit must end all of it, soon. Everything is
 * bounded, so that a machine on which it is not ended survives. */
#include "config.h"

#include "case.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIFE 30

__attribute__((noreturn)) static void stay(void)
{
	prctl(PR_SET_NAME, token);
	alarm(LIFE);
	for (;;)
		pause();
}

static void start(int count, void (*work)(void))
{
	for (int i = 0; i < count; i++)
		if (fork() == 0) {
			prctl(PR_SET_NAME, token);
			work();
			stay();
		}
}

static void nothing(void) {}

static void burn(void)
{
	alarm(LIFE);
	for (;;)
		;
}

static void hold_memory(void)
{
	char *memory = mmap(NULL, 48 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory != MAP_FAILED)
		memset(memory, 1, 48 << 20);
}

static void fill(const char *name)
{
	static char block[1 << 20];
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	for (int i = 0; fd >= 0 && i < 64; i++)
		if (write(fd, block, sizeof(block)) < 0)
			break;
}

static void fill_disk(void)
{
	const char *temporary = getenv("TMPDIR");
	fill("filling");
	fill(beside(temporary ? temporary : "/tmp", "filling"));
}

static void watch(void)
{
	for (int i = 0; i < 128; i++) {
		int fd = inotify_init1(0);
		if (fd < 0 || inotify_add_watch(fd, ".", IN_ALL_EVENTS) < 0)
			break;
	}
}

static void open_all(void)
{
	int ends[2];
	for (int i = 0; i < 500 && pipe(ends) == 0; i++)
		;
}

static void be_deaf(void)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	for (int i = 1; i < 65; i++)
		signal(i, SIG_IGN);
	setsid();
}

static void be_stopped(void)
{
	kill(getpid(), SIGSTOP);
}

static void leave_dead(void)
{
	for (int i = 0; i < 100; i++)
		if (fork() == 0)
			_exit(0);
}

static void chain(void)
{
	for (int i = 0; i < 100; i++)
		if (fork() != 0)
			stay();
}

static void *spin(void *unused)
{
	for (;;)
		;
	return unused;
}

static void many_threads(void)
{
	pthread_t thread;
	alarm(LIFE);
	for (int i = 0; i < 40; i++)
		pthread_create(&thread, NULL, spin, NULL);
}

static void lock(void)
{
	int fd = open("one", O_RDONLY);
	if (fd >= 0)
		flock(fd, LOCK_EX);
}

static void flood(void)
{
	static char block[1 << 16];
	memset(block, 'x', sizeof(block));
	for (int i = 0; i < 2000; i++)
		if (write(1, block, sizeof(block)) < 0)
			break;
}

static void wait_in_the_kernel(void)
{
	if (syscall(SYS_vfork) == 0)
		for (;;)
			pause();
}

static void fork_away(void)
{
	for (int i = 0; i < 3000; i++) {
		prctl(PR_SET_NAME, token);
		if (fork() != 0)
			_exit(0);
	}
}

static long endless(int count, void (*work)(void))
{
	start(count, work);
	stay();
}

static long processes(void) { return endless(150, nothing); }
static long memory(void) { return endless(4, hold_memory); }
static long disk(void) { return endless(1, fill_disk); }
static long watches(void) { return endless(1, watch); }
static long descriptors(void) { return endless(4, open_all); }
static long deaf(void) { return endless(10, be_deaf); }
static long stopped(void) { return endless(10, be_stopped); }
static long dead(void) { return endless(1, leave_dead); }
static long depth(void) { return endless(1, chain); }
static long processors(void) { return endless(6, burn); }
static long threads(void) { return endless(1, many_threads); }
static long locks(void) { return endless(1, lock); }
static long output(void) { return endless(2, flood); }
static long kernel(void) { return endless(4, wait_in_the_kernel); }
static long forks(void) { return endless(3, fork_away); }

/* Are there ceilings for all of them together? */
static long all_processes(void)
{
	int alive = 0, status;
	pid_t children[80];
	for (int i = 0; i < 80; i++) {
		children[i] = fork();
		if (children[i] == 0)
			stay();
		alive += children[i] > 0;
	}
	for (int i = 0; i < 80; i++)
		if (children[i] > 0 && kill(children[i], SIGKILL) == 0)
			waitpid(children[i], &status, 0);
	return alive == 80 ? 0 : -EAGAIN;
}

static long all_memory(void)
{
	int status, held = 0;
	for (int i = 0; i < 4; i++)
		if (fork() == 0) {
			char *mine = mmap(NULL, 48 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			if (mine == MAP_FAILED)
				_exit(1);
			memset(mine, 1, 48 << 20);
			usleep(100000);
			_exit(0);
		}
	while (wait(&status) > 0)
		held += WIFEXITED(status) && WEXITSTATUS(status) == 0;
	return held == 4 ? 0 : -ENOMEM;
}

#define STARVE(name, function, mechanism, source) { name, "process_tree", STARVES, function, &starts_children, mechanism, source }
static const struct row rows[] = {
	STARVE("many-processes", processes, "150 processes that wait", "reports about fork bombs"),
	STARVE("forks", forks, "chains of forks in which each process is gone at once", "reports about fork bombs"),
	STARVE("memory", memory, "four processes with 48 MiB each", "reports"),
	STARVE("disk", disk, "the tree and the temporary directory are filled", "reports"),
	STARVE("watches", watches, "inotify instances of the user are used up", "inotify(7)"),
	STARVE("descriptors", descriptors, "a thousand descriptors in each of four processes", "reports"),
	STARVE("deaf-processes", deaf, "every signal is blocked and ignored", "signal(7)"),
	STARVE("stopped-processes", stopped, "processes that have stopped themselves", "signal(7)"),
	STARVE("dead-processes", dead, "a hundred dead children that nobody waits for", "wait(2)"),
	STARVE("deep-processes", depth, "a hundred generations", "reports"),
	STARVE("busy-processes", processors, "six processes that use what processors there are", "reports"),
	STARVE("busy-threads", threads, "forty threads that do the same", "reports"),
	STARVE("locks", locks, "a file of the tree is locked and stays so", "flock(2)"),
	STARVE("output", output, "output that nobody reads fills the caller's pipe", "reports about hanging callers"),
	STARVE("uninterruptible", kernel, "vfork() leaves parents that wait in the kernel", "vfork(2)"),
	{ "ceiling-on-processes", "resources", BY_WORD | LIMITED, all_processes, &starts_children,
	  "80 processes where 40 were configured, for all together where the arm has that", "cgroups(7), setrlimit(2)" },
	{ "ceiling-on-memory", "resources", BY_WORD | LIMITED, all_memory, &starts_children,
	  "four times 48 MiB where 96 MiB were configured, for all together where the arm has that",
	  "cgroups(7), setrlimit(2)" },
};
const struct class starving_class = CLASS("starving the host", rows);

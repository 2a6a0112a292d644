/* cli/quick.c - the program that needs no linker to start, and so cannot load anything: what asks for that, or
 * for the list of users, which the C library finds by modules of its own, is handed over to the whole program.
 *
 * Its functions stand in for the C library's of the same names. */
#include "config.h"

#include "entry.h"
#include "verb.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOKED_AT = 1024 };	/* descriptors; ours have the least numbers that were free */

static struct {
	char **argv;
	sigset_t mask;
	bool closed;
	void (*undo)(void *context);
	void *context;
} entry;

void entry_undo_by(void (*undo)(void *context), void *context)
{
	entry.undo = undo;
	entry.context = context;
}

void entry_close(void)
{
	entry.closed = true;
}

static bool is_process(int fd, int flags)
{
	siginfo_t about = { 0 };
	return waitid(P_PIDFD, (id_t)fd, &about, flags | WEXITED | __WALL) == 0 || errno == ECHILD;
}

/* What was begun ahead of the command waits for a word on its socket, and ends where that ends. */
static void give_up_what_was_begun(void)
{
	int processes[LOOKED_AT], count = 0;
	for (int fd = STDERR_FILENO + 1; fd < LOOKED_AT; fd++) {
		int flags = fcntl(fd, F_GETFD);
		if (flags < 0 || !(flags & FD_CLOEXEC))
			continue;
		if (is_process(fd, WNOHANG | WNOWAIT))
			processes[count++] = fd;
		else
			close(fd);
	}
	while (count > 0) {
		int fd = processes[--count];
		while (!is_process(fd, 0) && errno == EINTR)
			;
		close(fd);
	}
}

int entry_hand_over(struct pinfold_error *err)
{
	sigprocmask(SIG_SETMASK, &entry.mask, NULL);
	execv(ENTRY_WHOLE, entry.argv);
	return pinfold_fail(err, PINFOLD_E_SYSTEM, errno, "start the program that loads modules", ENTRY_WHOLE,
			    "install pinfold completely");
}

static void hand_over_now(void)
{
	struct pinfold_error err = { 0 };
	if (entry.closed)
		return;
	if (entry.undo)
		entry.undo(entry.context);
	give_up_what_was_begun();
	entry_hand_over(&err);
	complain(&err, false);
	_exit(pinfold_exit_code(&err));
}

/* Who forks tries what this machine lets an arm do, in a process that may have to load something. */
void entry_begin(char **argv)
{
	size_t count = 0;
	while (argv[count])
		count++;
	/* Who reads the words may change their order. */
	entry.argv = malloc((count + 1) * sizeof(*argv));
	if (!entry.argv)
		abort();
	memcpy(entry.argv, argv, (count + 1) * sizeof(*argv));
	sigprocmask(SIG_SETMASK, NULL, &entry.mask);
	pthread_atfork(hand_over_now, NULL, NULL);
}

void *dlopen(const char *file, int mode)
{
	(void)file, (void)mode;
	hand_over_now();
	return NULL;
}

struct passwd *getpwuid(uid_t user)
{
	(void)user;
	hand_over_now();
	return NULL;
}

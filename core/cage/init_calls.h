/* cage/init_calls.h - what the parts of the supervisor program share: it has no C library. */
#ifndef CAGE_INIT_CALLS_H
#define CAGE_INIT_CALLS_H

#include <asm/ioctls.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

/* Called by the program's first instructions with the stack that the kernel made. */
void init_main(long *stack);

/* Becomes the command that the order names; on failure says which step on the status pipe. */
void init_run(int order, int status);

/* Listens in place of a helper (cage/protocol.h has the form of its words), in the helper's environment; ends when nobody
 * will be served any more. */
void init_door(char **words, char **envp);

static inline int init_same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

/* A number in decimal, or -1. */
static inline int init_number(const char *text)
{
	long number = 0;
	if (!*text)
		return -1;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || number > 100000000)
			return -1;
		number = number * 10 + (*text - '0');
	}
	return (int)number;
}

#endif

/* tests/namespaces_host.h - a host table for tests of the arm alone: settings by hand, records in memory. */
#ifndef NAMESPACES_HOST_H
#define NAMESPACES_HOST_H

#include <pinfold/arm.h>

struct test_host {
	struct pinfold_host table;	/* first: it is what the arm gets */
	struct arena *arena;
	const char *settings[8];	/* key, value, …, NULL */
	const char *kept_stamp;	/* of the record that was kept last */
	const void *kept;
	size_t kept_bytes;
	const char *said;	/* the last line of the log, all of which must be warnings */
};

void test_host_open(struct test_host *host);
void test_host_close(struct test_host *host);
/* From now on this system call does nothing and says that it went well: with this first argument, or
 * with any for -1. A number of -1 ends that. */
void test_host_swallow(long number, long argument);

#endif

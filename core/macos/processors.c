/* macos/processors.c - how many processors there are; none can be chosen. */
#include "config.h"

#include <errno.h>

int sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *ret_set)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);
	(void)process;
	(void)bytes;
	ret_set->count = count > 0 ? (unsigned)count : 1;
	return 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t bytes, const cpu_set_t *set)
{
	(void)thread;
	(void)bytes;
	(void)set;
	return ENOSYS;
}

int sched_getcpu(void)
{
	errno = ENOSYS;
	return -1;
}

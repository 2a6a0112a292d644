/* policy/jobserver.h - taking a build's job server out of the flags that announce it. */
#ifndef POLICY_JOBSERVER_H
#define POLICY_JOBSERVER_H

#include <stdbool.h>
#include <stddef.h>

/* Is this a variable in which make or cargo hand flags down? `length` bytes of it are the name. */
bool jobserver_is_announced_in(const char *name, size_t length);
/* The flags without the job server, whose descriptors will be closed, and without the bare `-j` that
 * came with it: alone it would mean as many jobs as there is work. The caller frees it; NULL when
 * memory is gone. */
char *jobserver_removed(const char *flags);

#endif

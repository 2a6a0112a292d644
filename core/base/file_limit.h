/* base/file_limit.h - a write past the limit on file sizes is an error, not the end of the caller. */
#ifndef BASE_FILE_LIMIT_H
#define BASE_FILE_LIMIT_H

#include <signal.h>
#include <stdbool.h>

struct file_limit {
	sigset_t before;
	bool pending;
};

/* Of this thread, and of those that it makes meanwhile. */
void file_limit_hold(struct file_limit *ret_limit);
/* Leaves errno as it is. */
void file_limit_let_go(const struct file_limit *limit);

#endif

/* macos/watch.c - the kernel tells nobody of a command's calls: the arm reads the system's log instead. */
#include "config.h"

#include "cage/watch.h"

#include "base/fault.h"

#include <errno.h>

int watch_begin(watch_tell *tell, void *context, struct watch **ret_watch, struct pinfold_error *err)
{
	(void)context;
	*ret_watch = NULL;
	if (tell)
		return 0;
	return fault(err, PINFOLD_E_SYSTEM, ENOSYS, "answer the command's calls", "macOS asks nobody of them",
		     "take another arm ([pinfold] arm)");
}

int watch_child_end(const struct watch *watch)
{
	(void)watch;
	return -1;
}

void watch_plan(struct watch *watch, const struct pinfold_plan *plan)
{
	(void)watch;
	(void)plan;
}

const struct sock_fprog *watch_filter(const struct watch *watch)
{
	(void)watch;
	return NULL;
}

void watch_started(struct watch *watch)
{
	(void)watch;
}

const char *watch_end(struct watch *watch, bool all_ended)
{
	(void)watch;
	(void)all_ended;
	return NULL;
}

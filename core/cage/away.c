/* cage/away.c - sending a new or sleeping task to another processor than the one that it would wait for. */
#include "config.h"

#include "cage/away.h"

#include "base/raw.h"
#include "cage/birth.h"

#include <sys/syscall.h>

enum { WORD_BITS = 8 * sizeof(unsigned long) };

static IN_CHILD int is_empty(const unsigned long *mask, long bytes)
{
	for (long i = 0; i < bytes / (long)sizeof(*mask); i++)
		if (mask[i])
			return 0;
	return 1;
}

void IN_CHILD away_send(int task, struct away *ret_away)
{
	unsigned long others[16];
	unsigned here = 0;
	ret_away->task = 0;
	ret_away->bytes = raw(SYS_sched_getaffinity, 0, sizeof(ret_away->all), ret_away->all);
	if (ret_away->bytes <= 0 || raw(SYS_getcpu, &here, 0, 0) < 0 ||
	    here / WORD_BITS >= (unsigned long)ret_away->bytes / sizeof(others[0]))
		return;
	for (long i = 0; i < ret_away->bytes / (long)sizeof(others[0]); i++)
		others[i] = ret_away->all[i];
	others[here / WORD_BITS] &= ~(1ul << here % WORD_BITS);
	if (!is_empty(others, ret_away->bytes) &&
	    raw(SYS_sched_setaffinity, task, ret_away->bytes, others) == 0)
		ret_away->task = task;
}

void IN_CHILD away_allow(const struct away *away)
{
	if (away->task)
		raw(SYS_sched_setaffinity, away->task, away->bytes, away->all);
}

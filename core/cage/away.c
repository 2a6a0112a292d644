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

void IN_CHILD away_look(struct away *ret_away)
{
	ret_away->bytes = raw(SYS_sched_getaffinity, 0, sizeof(ret_away->all), ret_away->all);
	if (raw(SYS_getcpu, &ret_away->here, 0, 0) < 0)
		ret_away->bytes = 0;
}

int IN_CHILD away_send(const struct away *away, int task)
{
	unsigned long others[16];
	if (away->bytes <= 0 || away->here / WORD_BITS >= (unsigned long)away->bytes / sizeof(others[0]))
		return 0;
	for (long i = 0; i < away->bytes / (long)sizeof(others[0]); i++)
		others[i] = away->all[i];
	others[away->here / WORD_BITS] &= ~(1ul << away->here % WORD_BITS);
	return !is_empty(others, away->bytes) && raw(SYS_sched_setaffinity, task, away->bytes, others) == 0;
}

void IN_CHILD away_allow(const struct away *away, int task)
{
	raw(SYS_sched_setaffinity, task, away->bytes, away->all);
}

void IN_CHILD away_leave(const struct away *away)
{
	unsigned here = 0;
	if (raw(SYS_getcpu, &here, 0, 0) >= 0 && here == away->here && away_send(away, 0))
		away_allow(away, 0);
}

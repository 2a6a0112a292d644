/* tree/pace.c - how far a sync is. */
#include "config.h"

#include "tree/pace.h"

#include "base/clock.h"
#include "base/fault.h"

#include <errno.h>

enum { TELLING_NANOSECONDS = 100000000 };

static void give_up(struct mirror *mirror)
{
	pthread_mutex_lock(&mirror->lock);
	if (!mirror->failed)
		fault(mirror->err, PINFOLD_E_TREE, ECANCELED, "copy the working tree", mirror->order->tree,
		      "this was given up: run it again");
	mirror->failed = 1;
	pthread_mutex_unlock(&mirror->lock);
	crew_end(&mirror->crew);
}

void pace_tell(struct mirror *mirror, bool now)
{
	const struct mirror_order *order = mirror->order;
	uint64_t time = order->copying ? clock_nanoseconds() : 0;
	if (mirror->told == 0)
		mirror->told = time;
	if (!order->copying || mirror->failed || (!now && time - mirror->told < TELLING_NANOSECONDS))
		return;
	mirror->told = time;
	if (order->copying(order->context, mirror->copied_files, mirror->copied_bytes) != 0)
		give_up(mirror);
}

void pace_add(struct worker *worker, uint64_t files, uint64_t bytes)
{
	struct mirror *mirror = worker->mirror;
	if (!mirror->order->copying)
		return;
	mirror->copied_files += files;
	mirror->copied_bytes += bytes;
	if (worker->leads)
		pace_tell(mirror, false);
}

int pace_carry(void *context, uint64_t bytes)
{
	struct worker *worker = context;
	pace_add(worker, 0, bytes);
	if (!worker->mirror->failed)
		return 0;
	errno = ECANCELED;
	return -1;
}

void pace_idle(void *context)
{
	struct worker *worker = context;
	pace_tell(worker->mirror, false);
}

/* tree/sync_crew.c - what the threads of a sync work with. */
#include "config.h"

#include "tree/pace.h"
#include "tree/stage.h"

#include <stdlib.h>

/* A thread costs what making this many files costs. */
enum { WORTH_FILES = 24 };

static void add_figures(struct mirror_work *sum, const struct mirror_work *more)
{
	sum->walked += more->walked;
	sum->created += more->created;
	sum->rewritten += more->rewritten;
	sum->removed += more->removed;
	sum->bytes += more->bytes;
	sum->skipped += more->skipped;
	sum->cloned += more->cloned;
	sum->ranged += more->ranged;
	sum->plain += more->plain;
}

static void *hire(struct crew *crew)
{
	struct worker *worker = calloc(1, sizeof(*worker));
	if (!worker)
		return NULL;
	*worker = (struct worker){ .mirror = crew->context, .stage_fd = -1 };
	above_start(&worker->above);
	worker->leads = pthread_equal(worker->mirror->leader, pthread_self());
	return worker;
}

static void dismiss(void *context)
{
	struct worker *worker = context;
	if (worker->carry) {
		worker->work.ranged = worker->carry->ranged;
		worker->work.plain = worker->carry->plain;
	}
	pthread_mutex_lock(&worker->mirror->lock);
	add_figures(&worker->mirror->work, &worker->work);
	pthread_mutex_unlock(&worker->mirror->lock);
	stage_leave(worker);
	above_release(&worker->above);
	text_release(&worker->path);
	listing_release(&worker->source);
	listing_release(&worker->copy);
	free(worker->drafts);
	free(worker->carry);
	free(worker);
}

static int work(void *context, struct crew_task *task)
{
	return folder_bring(context, (struct folder *)task);
}

static unsigned wanted(const void *context, uint64_t waits)
{
	const struct worker *worker = context;
	const struct mirror *mirror = worker->mirror;
	const struct mirror_order *order = mirror->order;
	uint64_t made = worker->work.created + worker->work.rewritten;
	bool worth = (order->old && order->old->header->count > 2 * CREW_WORTH_LOOKS) ||
		     mirror->files > CREW_WORTH_LOOKS || made > WORTH_FILES;
	if (!worth)
		return 0;
	if (order->threads > 0)
		return order->threads;
	return order->old && made == 0 ?
		       crew_lookers(worker->work.walked, waits, order->processors) :
		       order->processors;
}

const struct crew_craft sync_craft = {
	.hire = hire,
	.work = work,
	.dismiss = dismiss,
	.wanted = wanted,
	.idle = pace_idle,
};

void folder_call(struct mirror *mirror, struct folder *first)
{
	struct crew_task *tasks = NULL, **end = &tasks;
	for (struct folder *folder = first; folder; folder = folder->next_sibling) {
		if (folder->retained)
			continue;
		*end = &folder->task;
		end = &folder->task.next;
	}
	*end = NULL;
	crew_add(&mirror->crew, tasks);
}

/* tree/mirror.c - making a copy equal to its tree. */
#include "config.h"

#include "tree/mirror.h"

#include "base/fault.h"
#include "tree/follow.h"
#include "tree/merge.h"
#include "tree/pace.h"
#include "tree/record.h"
#include "tree/remedy.h"
#include "tree/stage.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define OTHERWISE "check that directory, or name another place with [filesystem] scratch"

static int start(struct mirror *mirror, const struct mirror_order *order, struct pinfold_error *err)
{
	struct remedy remedy;
	*mirror = (struct mirror){ .order = order, .err = err, .user = geteuid() };
	if (stamp_read(order->tree_fd, "", &mirror->root.source) < 0)
		return fault(err, PINFOLD_E_TREE, errno, "look at the working tree", order->tree,
			     "check that the directory is still there");
	if (stamp_read(order->copy_fd, "", &mirror->root.copy) < 0)
		return fault(err, PINFOLD_E_TREE, errno, "look at the copy", order->scratch,
			     remedy_in(&remedy, order->slot_fd, "", errno, OTHERWISE, ""));
	mirror->hidden = hidden_below(&order->hidden, order->tree);
	mirror->root.old = order->old ? 0 : FOLDER_NEW;
	mirror->began = stamp_now();
	mirror->staged = order->keep_changes && order->old;
	if (stage_start(mirror) < 0)
		return fault(err, PINFOLD_E_TREE, errno, "remove what an earlier sync left", order->scratch,
			     remedy_in(&remedy, order->slot_fd, "", errno, OTHERWISE, ""));
	if (links_start(&mirror->links) < 0)
		return fault_no_memory(err);
	pthread_mutex_init(&mirror->lock, NULL);
	crew_start(&mirror->crew, &sync_craft, mirror);
	return 0;
}

static void stop(struct mirror *mirror)
{
	stage_stop(mirror);
	folder_release(&mirror->root);
	follow_release(mirror);
	links_release(&mirror->links);
	crew_stop(&mirror->crew);
	pthread_mutex_destroy(&mirror->lock);
	mirror_work_release(&mirror->work);
}

static void run(struct mirror *mirror)
{
	mirror->leader = pthread_self();
	if (!mirror->order->old)
		pace_tell(mirror, true);
	crew_add(&mirror->crew, &mirror->root.task);
	if (crew_run(&mirror->crew) < 0 && errno == ENOMEM)
		trouble_memory(mirror);
}

static int finish(struct mirror *mirror, const char *index_name)
{
	const struct mirror_order *order = mirror->order;
	struct remedy remedy;
	if (mirror->counting)
		return tally_refuse(mirror, mirror->err);
	if (mirror->failed)
		return -1;
	if (merge_settle(mirror) < 0)
		return fault(mirror->err, PINFOLD_E_TREE, errno, "remove directories of the copy",
			     order->scratch, remedy_in(&remedy, order->slot_fd, "", errno, OTHERWISE, ""));
	if (!mirror->changed && order->old)
		return 0;
	links_settle(&mirror->links, order->copy_fd);
	if (stage_flush(mirror) < 0 || record_write(mirror, index_name) < 0)
		return fault(mirror->err, PINFOLD_E_TREE, errno, "write the index of the copy",
			     order->scratch, remedy_in(&remedy, order->slot_fd, "", errno, OTHERWISE, ""));
	return 0;
}

static int sync_once(const struct mirror_order *order, const char *index_name,
		     struct mirror_work *ret_work, bool *ret_again, struct pinfold_error *err)
{
	struct mirror mirror;
	if (start(&mirror, order, err) < 0)
		return -1;
	run(&mirror);
	int result = finish(&mirror, index_name);
	if (result == 0) {
		*ret_work = mirror.work;
		mirror.work = (struct mirror_work){ 0 };
		*ret_again = mirror.again;
	}
	stop(&mirror);
	return result;
}

static void add_changes(struct mirror_work *sum, const struct mirror_work *more)
{
	sum->created += more->created;
	sum->rewritten += more->rewritten;
	sum->removed += more->removed;
	sum->bytes += more->bytes;
	sum->cloned += more->cloned;
	sum->ranged += more->ranged;
	sum->plain += more->plain;
}

/* Once more where a name of the copy became free for what the tree has. */
int mirror_sync(const struct mirror_order *order, const char *index_name,
		struct mirror_work *ret_work, struct pinfold_error *err)
{
	struct mirror_work work;
	bool again = false;
	if (sync_once(order, index_name, &work, &again, err) < 0)
		return -1;
	if (again) {
		struct index index = { 0 };
		struct mirror_order more = *order;
		struct remedy remedy;
		int result = index_load(order->slot_fd, index_name, &index);
		more.old = &index;
		struct mirror_work first = work;
		if (result == 0)
			result = mirror_sync(&more, index_name, &work, err);
		else
			fault(err, PINFOLD_E_TREE, EIO, "read the index of the copy", order->scratch,
			      remedy_in(&remedy, order->slot_fd, "", EIO, "check that disk", ""));
		index_release(&index);
		if (result == 0)
			add_changes(&work, &first);
		mirror_work_release(&first);
		if (result < 0)
			return -1;
	}
	*ret_work = work;
	return 0;
}

void mirror_work_release(struct mirror_work *work)
{
	for (int i = 0; i < MIRROR_NAMES; i++)
		free(work->skipped_names[i]);
	*work = (struct mirror_work){ 0 };
}

/* tree/trouble.c - what went wrong in a sync, and what it left out. */
#include "config.h"

#include "tree/folder.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "tree/remedy.h"

#include <errno.h>
#include <stdio.h>

static char *full_path(const struct worker *worker, const char *name)
{
	struct text path = { 0 };
	const char *tree = worker->mirror->order->tree;
	text_add(&path, streq(tree, "/") ? "" : tree);
	if (worker->path.length > 0)
		text_addf(&path, "/%s", worker->path.data);
	if (*name)
		text_addf(&path, "/%s", name);
	return text_take(&path);
}

/* The first trouble is the one that is told. */
static int tell(struct worker *worker, const char *name, int sys, const char *action,
		const char *recovery)
{
	struct mirror *mirror = worker->mirror;
	auto_free char *path = full_path(worker, name);
	pthread_mutex_lock(&mirror->lock);
	if (!mirror->failed)
		fault(mirror->err, PINFOLD_E_TREE, sys, action, path, recovery);
	mirror->failed = 1;
	pthread_mutex_unlock(&mirror->lock);
	return -1;
}

static const char *source_recovery(int sys)
{
	switch (sys) {
	case EACCES:
	case EPERM:
		return "make it readable for you (chmod u+r; u+rx for a directory), or move it out of "
		       "the tree";
	case ENOMEM:
		return "free memory on this machine and try again";
	}
	return remedy_of(sys, "check that it can be read, or move it out of the tree");
}

int trouble_source(struct worker *worker, const char *name, int sys)
{
	return tell(worker, name, sys, "copy the working tree", source_recovery(sys));
}

static const char *copy_recovery(struct remedy *room, int sys, const char *scratch)
{
	const size_t bytes = sizeof(room->text);
	switch (sys) {
	case EPERM:
		snprintf(room->text, bytes, "in the copy, below %.200s: %s; or drop it: pinfold discard", scratch,
			 remedy_of(sys, ""));
		return room->text;
	case ENOSPC:
	case EDQUOT:
		snprintf(room->text, bytes, "make room in %.300s, or name another place with [filesystem] scratch",
			 scratch);
		return room->text;
	}
	snprintf(room->text, bytes, "check %.300s, or name another place with [filesystem] scratch", scratch);
	return remedy_of(sys, room->text);
}

int trouble_copy(struct worker *worker, const char *name, int sys)
{
	struct remedy room;
	return tell(worker, name, sys, "write the copy of the working tree",
		    copy_recovery(&room, sys, worker->mirror->order->scratch));
}

int trouble_hidden(struct worker *worker, const char *name, const char *hidden)
{
	char recovery[640];
	snprintf(recovery, sizeof(recovery),
		 "remove the link that leads to %.400s, which is hidden, or use an arm that keeps writes, "
		 "where links stay links", hidden);
	return tell(worker, name, 0, "replace a link by what it leads to", recovery);
}

int trouble_changes(struct worker *worker, const char *name)
{
	return tell(worker, name, 0, "copy a file that changes all the time",
		    "stop what is writing it, or let it write outside the tree");
}

int trouble_memory(struct mirror *mirror)
{
	pthread_mutex_lock(&mirror->lock);
	if (!mirror->failed)
		fault_no_memory(mirror->err);
	mirror->failed = 1;
	pthread_mutex_unlock(&mirror->lock);
	return -1;
}

void trouble_skip(struct worker *worker, const char *name)
{
	struct mirror *mirror = worker->mirror;
	uint64_t named = 0;
	worker->work.skipped++;
	pthread_mutex_lock(&mirror->lock);
	while (named < MIRROR_NAMES && mirror->work.skipped_names[named])
		named++;
	if (named < MIRROR_NAMES) {
		struct text path = { 0 };
		if (worker->path.length > 0)
			text_addf(&path, "%s/", worker->path.data);
		text_add(&path, name);
		mirror->work.skipped_names[named] = text_take(&path);
	}
	pthread_mutex_unlock(&mirror->lock);
}

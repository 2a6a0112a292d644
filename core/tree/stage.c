/* tree/stage.c - where an entry of the copy is made before it has its name there. */
#include "config.h"

#include "tree/stage.h"

#include "base/cleanup.h"
#include "tree/immutable.h"
#include "tree/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#define STAGES "new"	/* in the slot */
#define STAGED "new"	/* in the stage */

/* Up to so many files are written through one by one; of more of them the rest all at once. */
enum { WRITTEN_EACH = 256 };

static int open_stages(struct mirror *mirror)
{
	int slot_fd = mirror->order->slot_fd;
	pthread_mutex_lock(&mirror->lock);
	if (mirror->stages_fd < 0 && (mkdirat(slot_fd, STAGES, S_IRWXU) == 0 || errno == EEXIST))
		mirror->stages_fd = inside_open(slot_fd, STAGES, O_PATH, INSIDE_ONE_MOUNT);
	pthread_mutex_unlock(&mirror->lock);
	return mirror->stages_fd < 0 ? -1 : 0;
}

/* One for each worker, so that they do not wait for each other. */
static int make_stage(struct worker *worker)
{
	struct mirror *mirror = worker->mirror;
	if (open_stages(mirror) < 0)
		return -1;
	snprintf(worker->stage_name, sizeof(worker->stage_name), "%u",
		 atomic_fetch_add(&mirror->stages, 1));
	if (mkdirat(mirror->stages_fd, worker->stage_name, S_IRWXU) < 0)
		return -1;
	worker->stage_fd =
		inside_open(mirror->stages_fd, worker->stage_name, O_PATH, INSIDE_ONE_MOUNT);
	return worker->stage_fd < 0 ? -1 : 0;
}

int stage_open(struct worker *worker, const char *name, const struct sides *sides,
	       struct stage *ret_stage)
{
	struct trash *trash = worker->mirror->order->trash;
	worker->stage_replaces_folder = sides->found && S_ISDIR(sides->copy.mode);
	if (!worker->mirror->staged) {
		if (folder_touch(worker) < 0)
			return -1;
		*ret_stage = (struct stage){ worker->copy_fd, name };
		return sides->found ? discard_entry(trash, worker->copy_fd, name) : 0;
	}
	if (worker->stage_fd < 0 && make_stage(worker) < 0)
		return -1;
	*ret_stage = (struct stage){ worker->stage_fd, STAGED };
	return discard_entry(trash, worker->stage_fd, STAGED);
}

static bool is_unknown(int failure)
{
	return failure == EINVAL || failure == ENOSYS;
}

/* Both get the other's name, so that there is no moment without one. */
static int exchange(struct worker *worker, const char *name)
{
	struct trash *trash = worker->mirror->order->trash;
	if (renameat2(worker->stage_fd, STAGED, worker->copy_fd, name, RENAME_EXCHANGE) == 0)
		return discard_entry(trash, worker->stage_fd, STAGED);
	if (!is_unknown(errno) || discard_entry(trash, worker->copy_fd, name) < 0)
		return -1;
	return renameat(worker->stage_fd, STAGED, worker->copy_fd, name);
}

static int put(struct worker *worker, const char *name, const struct sides *sides)
{
	struct stat made;
	if (folder_touch(worker) < 0 ||
	    fstatat(worker->stage_fd, STAGED, &made, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	if (sides->found && (S_ISDIR(made.st_mode) || worker->stage_replaces_folder))
		return exchange(worker, name);
	if (!sides->found) {
		if (renameat2(worker->stage_fd, STAGED, worker->copy_fd, name, RENAME_NOREPLACE) == 0)
			return 0;
		if (!is_unknown(errno))
			return -1;
	}
	if (renameat(worker->stage_fd, STAGED, worker->copy_fd, name) < 0)
		return -1;
	/* A rename to another name of the same file does nothing. */
	return unlinkat(worker->stage_fd, STAGED, 0) < 0 && errno != ENOENT ? -1 : 0;
}

int stage_put(struct worker *worker, const char *name, const struct sides *sides)
{
	if (!worker->mirror->staged || put(worker, name, sides) == 0)
		return 0;
	return errno == EPERM && immutable_free(worker->copy_fd, name) == 0 ? put(worker, name, sides) : -1;
}

int stage_write_through(struct worker *worker, int file)
{
	return worker->mirror->staged_files++ < WRITTEN_EACH ? fdatasync(file) : 0;
}

int stage_flush(struct mirror *mirror)
{
	const struct mirror_order *order = mirror->order;
	if (!order->keep_changes || (mirror->staged && mirror->staged_files <= WRITTEN_EACH))
		return 0;
	auto_close int fd = inside_open(order->copy_fd, "", O_RDONLY, INSIDE_ONE_MOUNT);
	return fd < 0 ? -1 : syncfs(fd);
}

int stage_start(struct mirror *mirror)
{
	const struct mirror_order *order = mirror->order;
	mirror->stages_fd = -1;
	return mirror->staged ? discard_entry(order->trash, order->slot_fd, STAGES) : 0;
}

void stage_leave(struct worker *worker)
{
	if (worker->stage_fd < 0)
		return;
	discard_entry(worker->mirror->order->trash, worker->stage_fd, STAGED);
	unlinkat(worker->mirror->stages_fd, worker->stage_name, AT_REMOVEDIR);
	cleanup_fd(&worker->stage_fd);
}

void stage_stop(struct mirror *mirror)
{
	if (mirror->stages_fd < 0)
		return;
	cleanup_fd(&mirror->stages_fd);
	unlinkat(mirror->order->slot_fd, STAGES, AT_REMOVEDIR);
}

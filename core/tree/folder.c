/* tree/folder.c - one directory of a sync, on both sides. */
#include "config.h"

#include "tree/follow.h"

#include "base/cleanup.h"
#include "tree/immutable.h"
#include "tree/inside.h"
#include "tree/merge.h"
#include "tree/names.h"

#include <errno.h>
#include <fcntl.h>

struct folder *folder_add(struct folder *parent)
{
	struct folder *folder = calloc(1, sizeof(*folder));
	if (!folder)
		return NULL;
	folder->parent = parent;
	folder->chain.above = &parent->chain;
	folder->depth = parent->depth + 1;
	folder->old = FOLDER_NEW;
	if (parent->last_child)
		parent->last_child->next_sibling = folder;
	else
		parent->first_child = folder;
	parent->last_child = folder;
	return folder;
}

/* Frees without recursion: a tree may be deep. */
void folder_release(struct folder *folder)
{
	struct folder *at = folder;
	for (;;) {
		while (at->first_child)
			at = at->first_child;
		free(at->entries);
		if (at == folder)
			break;
		struct folder *up = at->parent;
		up->first_child = at->next_sibling;
		free(at);
		at = up;
	}
}

/* How much of the path leads to the base that the folder lies in, with the slash after it. */
static size_t bytes_to_base(const struct worker *worker)
{
	const struct folder *folder = worker->folder;
	if (!folder->base)
		return 0;
	const char *at = worker->path.data;
	for (uint32_t level = 0; level < folder->base_depth; level++) {
		at += strcspn(at, "/");
		at += *at == '/';
	}
	return (size_t)(at - worker->path.data);
}

static const struct index_entry *old_entry(const struct worker *worker)
{
	const struct index *old = worker->mirror->order->old;
	return worker->folder->old == FOLDER_NEW ? NULL : &old->entries[worker->folder->old];
}

static bool source_is_recorded(const struct worker *worker, const struct index_entry *old)
{
	const struct stamp *now = &worker->folder->source;
	return old && old->identity == stamp_identity(now) && old->ctime == now->ctime &&
	       old->mtime == now->mtime && old->mode == now->mode;
}

static bool copy_is_recorded(const struct worker *worker, const struct index_entry *old)
{
	const struct stamp *now = &worker->folder->copy;
	return old && old->copy_inode == now->inode && old->copy_ctime == now->ctime;
}

/* Are the names in the source still those of the index? */
static bool source_is_known(const struct worker *worker, const struct index_entry *old)
{
	return source_is_recorded(worker, old) &&
	       !stamp_is_young(old->ctime, worker->mirror->order->old->header->began);
}

static bool copy_is_known(const struct worker *worker, const struct index_entry *old)
{
	return copy_is_recorded(worker, old) &&
	       !stamp_is_young(old->copy_ctime, worker->mirror->order->old->header->ended);
}

static int open_source(const struct worker *worker, int flags)
{
	const struct follow_base *base = worker->folder->base;
	const struct above_kept *above = above_nearest(&worker->above);
	if (above && above->source_fd >= 0 && above->folder->base == base)
		return inside_open(above->source_fd, worker->path.data + above->path_bytes, flags,
				   INSIDE_ANY_MOUNT);
	return inside_open(base ? base->fd : worker->mirror->order->tree_fd,
			   worker->path.data + worker->base_bytes, flags, INSIDE_ANY_MOUNT);
}

static int open_copy(const struct worker *worker, int flags)
{
	const struct above_kept *above = above_nearest(&worker->above);
	if (above && above->copy_fd < 0)	/* it was not looked at */
		above = NULL;
	int fd = above ? above->copy_fd : worker->mirror->order->copy_fd;
	return inside_open(fd, worker->path.data + (above ? above->path_bytes : 0), flags, INSIDE_ONE_MOUNT);
}

static int read_source(struct worker *worker, const struct index_entry *old)
{
	if (worker->folder->hollow) {
		worker->source_readable = false;
		worker->different = true;
		listing_clear(&worker->source);
		return 0;
	}
	bool known = source_is_known(worker, old);
	worker->source_readable = !known;
	worker->source_fd = open_source(worker, known ? O_PATH : O_RDONLY | O_NONBLOCK);
	if (worker->source_fd < 0)
		return -1;
	worker->source_as_known = known;
	if (known)
		return 0;
	worker->different = true;
	return listing_read(&worker->source, worker->source_fd);
}

/* Of a copy that nobody has touched, a directory in which the tree changed nothing is not even opened. */
static bool is_left_closed(const struct worker *worker, const struct index_entry *old)
{
	return worker->mirror->order->untouched && worker->source_as_known && !worker->folder->fresh &&
	       copy_is_known(worker, old);
}

int folder_open_copy(struct worker *worker)
{
	if (worker->copy_fd < 0)
		worker->copy_fd = open_copy(worker, O_PATH);
	return worker->copy_fd < 0 ? -1 : 0;
}

/* Opens the copy's directory for more than looking, with at least these rights in it. */
static int unlock(struct worker *worker, mode_t rights)
{
	uint32_t *mode = &worker->folder->copy.mode;
	if (folder_open_copy(worker) < 0)
		return -1;
	mode_t opened = worker->mirror->order->keep_changes ? FOLDER_OPENED : S_IRWXU;
	if (rights & S_IWUSR || (*mode & rights) != rights)
		immutable_lift(worker->copy_fd);
	if ((*mode & rights) != rights) {
		if (inside_set_mode(worker->copy_fd, opened) < 0)
			return -1;
		*mode = (*mode & S_IFMT) | opened;
		worker->touched = true;
	}
	if (worker->copy_ready)
		return 0;
	int fd = openat(worker->copy_fd, ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -1;
	close(worker->copy_fd);
	worker->copy_fd = fd;
	worker->copy_ready = true;
	return 0;
}

int folder_touch(struct worker *worker)
{
	if (worker->touched && worker->copy_ready)
		return 0;
	worker->touched = true;
	return unlock(worker, S_IRWXU);
}

/* The command took the right to enter its own copy away. */
static int open_locked_top(struct worker *worker)
{
	int copy_fd = worker->mirror->order->copy_fd;
	worker->touched = true;
	worker->folder->copy.mode = S_IFDIR | S_IRWXU;
	immutable_lift(copy_fd);
	return inside_set_mode(copy_fd, S_IRWXU) < 0 ? -1 :
						       inside_open(copy_fd, "", O_PATH, INSIDE_ONE_MOUNT);
}

static int read_copy(struct worker *worker, const struct index_entry *old)
{
	bool fresh = worker->folder->fresh;
	worker->copy_ready = fresh;
	if (is_left_closed(worker, old)) {
		worker->copy_was_recorded = worker->copy_as_known = true;
		worker->folder->further = old->flags & INDEX_FURTHER;
		return 0;
	}
	worker->copy_fd = open_copy(worker, fresh ? O_RDONLY : O_PATH);
	if (worker->copy_fd < 0 && errno == EACCES && worker->path.length == 0)
		worker->copy_fd = open_locked_top(worker);
	if (worker->copy_fd < 0)
		return -1;
	listing_clear(&worker->copy);
	worker->copy_was_recorded = copy_is_recorded(worker, old);
	if (fresh)
		return 0;
	if (copy_is_known(worker, old)) {
		worker->folder->further = old->flags & INDEX_FURTHER;
		worker->copy_as_known = true;
		return 0;
	}
	worker->different = true;
	return unlock(worker, S_IRUSR | S_IXUSR) < 0 ? -1 :
							 listing_read(&worker->copy, worker->copy_fd);
}

/* Gives the copy's directory its mode, attributes and, last, its time. */
static int put_right(struct worker *worker)
{
	struct folder *folder = worker->folder;
	auto_close int opened = -1;
	if (folder_touch(worker) < 0)
		return -1;
	if (!worker->source_readable)
		opened = openat(worker->source_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int from = worker->source_readable ? worker->source_fd : opened;
	if (from >= 0 && carry_attributes(from, worker->copy_fd, folder->fresh) < 0)
		return -1;
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, stamp_time(folder->source.mtime) };
	uint32_t mode = entry_mode(worker->mirror, &folder->source);
	if (futimens(worker->copy_fd, times) < 0 || stamp_read(worker->copy_fd, "", &folder->copy) < 0)
		return -1;
	if ((folder->copy.mode & 07777) == mode)
		return 0;
	return fchmod(worker->copy_fd, mode) < 0 ? -1 : stamp_read(worker->copy_fd, "", &folder->copy);
}

/* What was recorded was right then; only what is too young to be known is looked at again. */
static bool is_right(const struct worker *worker, const struct index_entry *old)
{
	const struct folder *folder = worker->folder;
	if (worker->touched || !source_is_recorded(worker, old) || !copy_is_recorded(worker, old))
		return false;
	return copy_is_known(worker, old) ||
	       (folder->copy.mtime == folder->source.mtime &&
		(folder->copy.mode & 07777) == entry_mode(worker->mirror, &folder->source));
}

static int finish(struct worker *worker, const struct index_entry *old)
{
	bool right = !worker->folder->hollow && is_right(worker, old);
	bool ours = worker->folder->fresh || worker->copy_was_recorded || !worker->mirror->order->old;
	int result = right ? 0 : worker->mirror->order->keep_changes ? merge_put_right(worker, old, ours) :
								       put_right(worker);
	if (result < 0)
		return trouble_copy(worker, "", errno);
	if (worker->different && names_keep(worker) < 0)
		return -1;
	if (worker->different || !right)
		worker->mirror->changed = 1;
	return 0;
}

static int bring(struct worker *worker);

/* The directory went away after its parent was read: so it does in the copy. What a command changed in
 * that stays. */
static int vanish(struct worker *worker)
{
	struct folder *folder = worker->folder, *parent = folder->parent;
	if (worker->mirror->order->keep_changes && !folder->fresh) {
		merge_empty(worker->mirror, folder);
		return bring(worker);
	}
	folder->vanished = true;
	folder->source = folder->copy = (struct stamp){ 0 };
	worker->mirror->changed = 1;
	const char *slash = strrchr(worker->path.data, '/');
	worker->path.data[slash ? slash - worker->path.data : 0] = '\0';
	auto_close int fd = inside_open(worker->mirror->order->copy_fd, worker->path.data, O_RDONLY,
					INSIDE_ONE_MOUNT);
	if (fd < 0 || discard_entry(worker->mirror->order->trash, fd, folder->chain.name) < 0)
		return trouble_copy(worker, folder->chain.name, errno);
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, stamp_time(parent->source.mtime) };
	return futimens(fd, times) < 0 ? trouble_copy(worker, "", errno) : 0;
}

static int bring(struct worker *worker)
{
	const struct index_entry *old = old_entry(worker);
	if (read_source(worker, old) < 0) {
		bool gone = errno == ENOENT || errno == ENOTDIR || errno == ELOOP;
		return gone && worker->folder->parent ? vanish(worker) : trouble_source(worker, "", errno);
	}
	if (!worker->mirror->counting && read_copy(worker, old) < 0)
		return trouble_copy(worker, "", errno);
	if (names_bring(worker, old) < 0)
		return -1;
	return worker->mirror->counting ? names_keep(worker) : finish(worker, old);
}

int folder_bring(struct worker *worker, struct folder *folder)
{
	worker->folder = folder;
	worker->count = 0;
	worker->different = false;
	worker->touched = folder->fresh;
	worker->found_mode = folder->copy.mode;
	worker->copy_was_recorded = false;
	worker->source_fd = worker->copy_fd = -1;
	worker->source_as_known = worker->copy_as_known = false;
	listing_clear(&worker->copy);
	chain_path(&folder->chain, &worker->path);
	worker->base_bytes = worker->path.failed ? 0 : bytes_to_base(worker);
	above_enter(&worker->above, folder);
	size_t path_bytes = worker->path.length + (worker->path.length > 0);
	int result = worker->path.failed ? trouble_memory(worker->mirror) : bring(worker);
	if (folder->first_child && result == 0) {
		above_keep(&worker->above, folder, path_bytes, worker->source_fd, worker->copy_fd);
	} else {
		cleanup_fd(&worker->source_fd);
		cleanup_fd(&worker->copy_fd);
	}
	if (result == 0)
		result = tally_give(worker);
	if (result == 0) {
		names_give(worker);
		folder_call(worker->mirror, folder->first_child);
	}
	return result;
}

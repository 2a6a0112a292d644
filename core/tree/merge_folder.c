/* tree/merge_folder.c - directories in a sync that keeps what the command changed. */
#include "config.h"

#include "tree/merge.h"

#include "base/cleanup.h"
#include "tree/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

enum { PERMISSIONS = 07777 };

static struct folder *add_old(struct worker *worker, struct folder *parent,
			      const struct index_entry *old)
{
	struct folder *folder = folder_add(parent);
	if (folder)
		folder->old = (uint32_t)(old - worker->mirror->order->old->entries);
	return folder;
}

static bool retain(struct worker *worker, struct folder *parent, const struct index_entry *old)
{
	const struct index *index = worker->mirror->order->old;
	struct folder *folder = add_old(worker, parent, old);
	if (!folder)
		return false;
	folder->retained = true;
	for (uint32_t i = 0; i < old->children.count; i++) {
		const struct index_entry *child = &index->entries[old->children.first + i];
		if (child->kind == INDEX_FOLDER && !retain(worker, folder, child))
			return false;
	}
	return true;
}

int merge_retain(struct worker *worker, const struct index_entry *old)
{
	return retain(worker, worker->folder, old) ? 1 : trouble_memory(worker->mirror);
}

int merge_hollow(struct worker *worker, const struct index_entry *old, const struct sides *sides)
{
	struct mirror *mirror = worker->mirror;
	struct folder *folder = add_old(worker, worker->folder, old);
	if (!folder)
		return trouble_memory(mirror);
	folder->copy = sides->copy;
	folder->replaced = sides->source.mode != 0;
	merge_empty(mirror, folder);
	return 1;
}

/* Those below come after those above. */
void merge_empty(struct mirror *mirror, struct folder *folder)
{
	folder->hollow = true;
	pthread_mutex_lock(&mirror->lock);
	folder->next_hollow = mirror->hollow;
	mirror->hollow = folder;
	pthread_mutex_unlock(&mirror->lock);
}

static bool is_untouched(const struct index *index, int dir, const char *name,
			 const struct index_entry *old)
{
	struct stamp now;
	if (stamp_read(dir, name, &now) < 0 || old->copy_inode != now.inode ||
	    old->copy_ctime != now.ctime || stamp_is_young(now.ctime, index->header->ended))
		return false;
	if (old->kind != INDEX_FOLDER)
		return true;
	auto_close int fd = openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool untouched = fd >= 0;
	for (uint32_t i = 0; untouched && i < old->children.count; i++) {
		const struct index_entry *child = &index->entries[old->children.first + i];
		untouched = child->kind == INDEX_SKIPPED ||
			    is_untouched(index, fd, index_name(index, child), child);
	}
	return untouched;
}

bool merge_folder_is_untouched(struct worker *worker, const char *name,
			       const struct index_entry *old)
{
	return is_untouched(worker->mirror->order->old, worker->copy_fd, name, old);
}

/* The mode that the copy's directory shall have. One that is ours for as long as we work in it is not
 * the command's, though a sync that was killed may have left it. */
static uint32_t mode_wanted(struct worker *worker, const struct index_entry *old)
{
	struct folder *folder = worker->folder;
	uint32_t found = worker->found_mode & PERMISSIONS;
	uint32_t wanted = entry_mode(worker->mirror, &folder->source);
	if (folder->fresh || !old || found == wanted || found == (old->copy_mode & PERMISSIONS) ||
	    found == FOLDER_OPENED)
		return wanted;
	folder->keeps_mode = true;
	return found;
}

static int carry_rest(struct worker *worker)
{
	struct folder *folder = worker->folder;
	auto_close int opened = -1;
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, stamp_time(folder->source.mtime) };
	if (!worker->source_readable)
		opened = openat(worker->source_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int from = worker->source_readable ? worker->source_fd : opened;
	if (from >= 0 && carry_attributes(from, worker->copy_fd, folder->fresh) < 0)
		return -1;
	return futimens(worker->copy_fd, times);
}

int merge_put_right(struct worker *worker, const struct index_entry *old, bool ours)
{
	struct folder *folder = worker->folder;
	uint32_t wanted = folder->hollow ? worker->found_mode & PERMISSIONS : mode_wanted(worker, old);
	bool follows = ours && !folder->hollow;
	if (!worker->touched && !follows && (folder->copy.mode & PERMISSIONS) == wanted)
		return 0;
	if (folder_touch(worker) < 0 || (follows && carry_rest(worker) < 0) ||
	    stamp_read(worker->copy_fd, "", &folder->copy) < 0)
		return -1;
	if ((folder->copy.mode & PERMISSIONS) == wanted)
		return 0;
	return fchmod(worker->copy_fd, wanted) < 0 ? -1 : stamp_read(worker->copy_fd, "", &folder->copy);
}

static bool is_empty(const struct folder *folder)
{
	uint32_t left = folder->count;
	for (const struct folder *child = folder->first_child; child; child = child->next_sibling)
		left -= child->vanished;
	return left == 0;
}

/* A directory above whose mode forbids it is opened up meanwhile. */
static int remove_directory(int dir, const char *name, const struct stamp *stamp)
{
	if (unlinkat(dir, name, AT_REMOVEDIR) == 0)
		return 0;
	if (errno != EACCES || fchmod(dir, FOLDER_OPENED) < 0)
		return -1;
	int result = unlinkat(dir, name, AT_REMOVEDIR), failure = errno;
	if (fchmod(dir, stamp->mode & PERMISSIONS) < 0)
		return -1;
	errno = failure;
	return result;
}

/* What the command added in it keeps a directory there, though it is none of the tree's any more. */
static int settle(struct mirror *mirror, struct folder *folder, struct text *path)
{
	struct folder *parent = folder->parent;
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, stamp_time(parent->source.mtime) };
	folder->vanished = true;
	chain_path(&parent->chain, path);
	auto_close int fd = path->failed ? -1 :
		inside_open(mirror->order->copy_fd, path->data, O_RDONLY, INSIDE_ONE_MOUNT);
	if (fd < 0)
		return -1;
	if (remove_directory(fd, folder->chain.name, &parent->copy) < 0)
		return errno == ENOTEMPTY || errno == EEXIST || errno == ENOENT ? 0 : -1;
	mirror->again |= folder->replaced;
	if (parent->hollow)
		return 0;
	return futimens(fd, times) < 0 ? -1 : stamp_read(fd, "", &parent->copy);
}

int merge_settle(struct mirror *mirror)
{
	struct text path = { 0 };
	int result = 0;
	for (struct folder *folder = mirror->hollow; folder && result == 0; folder = folder->next_hollow) {
		mirror->changed = 1;
		if (is_empty(folder))
			result = settle(mirror, folder, &path);
	}
	int failure = errno;
	text_release(&path);
	errno = failure;
	return result;
}

/* tree/discard.c - removing what a command left, whatever it is and whoever is still moving it. */
#include "config.h"

#include "tree/discard.h"

#include "base/cleanup.h"
#include "tree/immutable.h"
#include "tree/inside.h"
#include "tree/listing.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#define TRASH "gone"

/* Each pass takes one level off what lies in the trash; somebody may be adding some meanwhile. */
enum { MOST_PASSES = 100000, MOST_NAMES = 10000 };

static int open_trash(const struct trash *trash, int flags)
{
	int fd = inside_open(trash->root, TRASH, flags, INSIDE_ONE_MOUNT);
	if (fd < 0 && errno == ENOENT && mkdirat(trash->root, TRASH, 0700) < 0 && errno != EEXIST)
		return -1;
	return fd >= 0 ? fd : inside_open(trash->root, TRASH, flags, INSIDE_ONE_MOUNT);
}

/* May what could not be renamed be so now? */
static bool makes_way(int dir, const char *name)
{
	return (errno == EACCES && inside_loosen(dir, name) == 0) || (errno == EPERM && immutable_free(dir, name) == 0);
}

/* Where not even a directory can be made any more, room is still to be had by removing: what goes is the trash
 * itself then. */
static int become_trash(const struct trash *trash, int dir, const char *name)
{
	int result = renameat2(dir, name, trash->root, TRASH, RENAME_NOREPLACE);
	if (result < 0 && makes_way(dir, name))
		result = renameat2(dir, name, trash->root, TRASH, RENAME_NOREPLACE);
	return result < 0 ? -1 : inside_loosen(trash->root, TRASH);
}

/* Renames to a name of its own in the trash. A name that is taken by an empty directory is replaced
 * by the kernel, one that is taken otherwise is passed over. */
static int move_into(struct trash *trash, int trash_fd, int dir, const char *name)
{
	bool loosened = false;
	for (int tries = 0; tries < MOST_NAMES; tries++) {
		char to[40];
		snprintf(to, sizeof(to), "%x-%x", (unsigned)getpid(), atomic_fetch_add(&trash->next, 1));
		if (renameat(dir, name, trash_fd, to) == 0)
			return 0;
		if (!loosened && makes_way(dir, name))
			loosened = true;
		else if (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR)
			return errno == ENOENT ? 0 : -1;
	}
	return -1;
}

/* Removes what is no directory, or an empty one. 0, or -1 with errno. */
static int remove_name(int dir, const char *name)
{
	if (unlinkat(dir, name, 0) == 0 || errno == ENOENT)
		return 0;
	if (errno == EPERM && immutable_unlink(dir, name) == 0)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return -1;
	if (unlinkat(dir, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
		return 0;
	if (errno != EPERM || immutable_free(dir, name) < 0)
		return -1;
	return unlinkat(dir, name, AT_REMOVEDIR);
}

static bool is_without_room(int failure)
{
	return failure == ENOSPC || failure == EDQUOT;
}

/* Removes what can be removed at once in the directory. `ret_below`: one that cannot, for what it holds; or "". */
static bool remove_names(int fd, struct listing *listing, char ret_below[NAME_MAX + 1])
{
	bool gained = false;
	ret_below[0] = '\0';
	for (size_t i = 0; i < listing->count; i++) {
		const char *name = listing->items[i].name;
		if (remove_name(fd, name) == 0)
			gained = true;
		else if (errno == ENOTEMPTY || errno == EEXIST)
			snprintf(ret_below, NAME_MAX + 1, "%s", name);
	}
	return gained;
}

static int open_to_remove(int dir, const char *name)
{
	int fd = inside_open(dir, name, O_RDONLY, INSIDE_ONE_MOUNT);
	if (fd < 0 && errno == EACCES && inside_loosen(dir, name) == 0)
		fd = inside_open(dir, name, O_RDONLY, INSIDE_ONE_MOUNT);
	return fd;
}

/* A quota may forbid to rename even a directory: what is removed in it, as far up as there is something, makes room.
 * Leaves errno as it is. */
static bool gain_room(int dir, const char *name)
{
	struct listing listing = { 0 };
	char below[NAME_MAX + 1];
	bool gained = false;
	int failure = errno;
	int fd = open_to_remove(dir, name);
	while (fd >= 0 && listing_read(&listing, fd) == 0 && !(gained = remove_names(fd, &listing, below)) && below[0]) {
		int inner = open_to_remove(fd, below);
		close(fd);
		fd = inner;
	}
	cleanup_fd(&fd);
	listing_release(&listing);
	errno = failure;
	return gained;
}

static int move_away(struct trash *trash, int dir, const char *name)
{
	auto_close int fd = open_trash(trash, O_PATH);
	if (fd < 0 && !is_without_room(errno))
		return -1;
	atomic_store(&trash->used, 1);
	if (fd < 0)
		return become_trash(trash, dir, name);
	return move_into(trash, fd, dir, name);
}

int discard_directory(struct trash *trash, int dir, const char *name)
{
	int result;
	while ((result = move_away(trash, dir, name)) < 0 && is_without_room(errno) && gain_room(dir, name))
		if (remove_name(dir, name) == 0)
			return 0;
	return result;
}

int discard_entry(struct trash *trash, int dir, const char *name)
{
	if (remove_name(dir, name) == 0)
		return 0;
	return errno == ENOTEMPTY || errno == EEXIST ? discard_directory(trash, dir, name) : -1;
}

static void move_up(struct trash *trash, int trash_fd, int fd, const char *name)
{
	while (move_into(trash, trash_fd, fd, name) < 0 && is_without_room(errno) && gain_room(fd, name))
		if (remove_name(fd, name) == 0)
			return;
}

/* Removes what is no directory in `fd`, moves what is one to the trash's top. */
static void thin_out(struct trash *trash, int trash_fd, int fd, struct listing *listing)
{
	if (listing_read(listing, fd) < 0)
		return;
	for (size_t i = 0; i < listing->count; i++) {
		const char *name = listing->items[i].name;
		if (remove_name(fd, name) < 0 && (errno == ENOTEMPTY || errno == EEXIST || errno == EACCES))
			move_up(trash, trash_fd, fd, name);
	}
}

/* True when `name` is gone from the trash. */
static bool finish_off(struct trash *trash, int trash_fd, const char *name, struct listing *listing)
{
	if (remove_name(trash_fd, name) == 0)
		return true;
	auto_close int fd = open_to_remove(trash_fd, name);
	if (fd < 0)
		return false;
	fchmod(fd, S_IRWXU);
	thin_out(trash, trash_fd, fd, listing);
	return unlinkat(trash_fd, name, AT_REMOVEDIR) == 0 || errno == ENOENT;
}

void discard_empty(struct trash *trash)
{
	auto_close int fd = open_trash(trash, O_RDONLY);
	struct listing top = { 0 }, inner = { 0 };
	bool progress = fd >= 0;
	for (int pass = 0; progress && pass < MOST_PASSES; pass++) {
		if (listing_read(&top, fd) < 0)
			break;
		progress = false;
		for (size_t i = 0; i < top.count; i++)
			progress |= finish_off(trash, fd, top.items[i].name, &inner);
	}
	listing_release(&top);
	listing_release(&inner);
	atomic_store(&trash->used, 0);
}

/* A directory that remains does so because of what is in it, where there is anything. */
static void tell_remains(int trash_fd, const char *name, struct listing *inner,
			 void (*tell)(void *context, const char *path, int why), void *context)
{
	char path[NAME_MAX * 2 + 8];
	int why = remove_name(trash_fd, name) < 0 ? errno : 0;
	auto_close int fd = inside_open(trash_fd, name, O_RDONLY, INSIDE_ONE_MOUNT);
	bool inside = why == ENOTEMPTY && fd >= 0 && listing_read(inner, fd) == 0;
	for (size_t i = 0; inside && i < inner->count; i++) {
		if (remove_name(fd, inner->items[i].name) == 0)
			continue;
		int reason = errno;
		snprintf(path, sizeof(path), TRASH "/%s/%s", name, inner->items[i].name);
		tell(context, path, reason);
	}
	snprintf(path, sizeof(path), TRASH "/%s", name);
	if (why != 0 && !inside)
		tell(context, path, why);
}

void discard_remains(struct trash *trash, void (*tell)(void *context, const char *path, int why),
		     void *context)
{
	auto_close int fd = open_trash(trash, O_RDONLY);
	struct listing top = { 0 }, inner = { 0 };
	if (fd >= 0 && listing_read(&top, fd) == 0)
		for (size_t i = 0; i < top.count; i++)
			tell_remains(fd, top.items[i].name, &inner, tell, context);
	listing_release(&top);
	listing_release(&inner);
}

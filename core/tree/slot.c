/* tree/slot.c - the place of one copy: its lock, its directories, its index. */
#include "config.h"

#include "tree/slot.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/text.h"
#include "tree/inside.h"
#include "tree/listing.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

#define INDEX_AT_REST "index"

enum { MOST_SLOTS = 1000, MOST_TRIES = 100, MOST_SPOILT = 8 };

/* Makes ROOT/t/KEY/N, as far as it is missing. */
static int make_directories(int root, const char *place)
{
	char part[sizeof(((struct slot *)0)->place)];
	for (const char *slash = place; slash;) {
		slash = strchr(slash + 1, '/');
		snprintf(part, sizeof(part), "%.*s", slash ? (int)(slash - place) : (int)sizeof(part),
			 place);
		if (mkdirat(root, part, S_IRWXU) < 0 && errno != EEXIST)
			return -1;
	}
	return 0;
}

static int open_directory(int root, const char *place)
{
	int fd = inside_open(root, place, O_PATH, INSIDE_ANY_MOUNT);
	if (fd >= 0 || errno != ENOENT)
		return fd;
	if (make_directories(root, place) < 0)
		return -1;
	return inside_open(root, place, O_PATH, INSIDE_ANY_MOUNT);
}

/* 1: locked, and it is still what its name says; 0: somebody holds it; -1 with errno (EAGAIN: it was
 * moved away meanwhile). */
static int lock_slot(struct slot *slot, int root)
{
	struct stat held, named;
	slot->lock = openat(slot->dir, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
			    0600);
	if (slot->lock < 0)
		return -1;
	if (flock(slot->lock, LOCK_EX | LOCK_NB) < 0)
		return errno == EWOULDBLOCK ? 0 : -1;
	if (fstat(slot->dir, &held) < 0 || fstatat(root, slot->place, &named, AT_SYMLINK_NOFOLLOW) < 0 ||
	    held.st_ino != named.st_ino || held.st_dev != named.st_dev) {
		errno = EAGAIN;
		return -1;
	}
	return 1;
}

/* The next directory of a chain of names, a path without its leading slash; NULL past its end. */
static const char *next_name(const char **chain, char *room, size_t bytes)
{
	const char *at = *chain + strspn(*chain, "/");
	size_t length = strcspn(at, "/");
	if (length == 0 || length >= bytes)
		return NULL;
	memcpy(room, at, length);
	room[length] = '\0';
	*chain = at + length;
	return room;
}

static bool is_only(const struct listing *listing, const char *name)
{
	return listing->count == 1 && listing->items[0].bytes == strlen(name) &&
	       memcmp(listing->items[0].name, name, strlen(name)) == 0;
}

/* Is there nothing in the directory but, at most, the chain of otherwise empty directories? Takes the
 * descriptor. */
static bool holds_at_most(int dir, const char *chain)
{
	char name[NAME_MAX + 1];
	for (;;) {
		auto_close int fd = dir;
		struct listing listing = { 0 };
		struct stat found;
		bool good = fd >= 0 && fstat(fd, &found) == 0 &&
			    (found.st_mode & S_IRWXU) == S_IRWXU && listing_read(&listing, fd) == 0;
		bool empty = good && listing.count == 0;
		good = good && next_name(&chain, name, sizeof(name)) && is_only(&listing, name);
		listing_release(&listing);
		if (empty || !good)
			return empty;
		dir = inside_open(fd, name, O_RDONLY, INSIDE_ONE_MOUNT);
	}
}

/* What an arm that shows the directory as /tmp needs there when the tree lies below: the tree's own
 * parents stay, since removing and making them costs more than all the rest of a run. */
static const char *chain_of(const char *tree)
{
	static const char *const places[] = { "/tmp/", "/var/tmp/" };
	for (size_t i = 0; i < N_ELEMENTS(places); i++)
		if (starts_with(tree, places[i]))
			return tree + strlen(places[i]);
	return "";
}

/* The temporary directory is given out private, and empty but for that chain. */
static int open_temporary(struct slot *slot, struct trash *trash, const char *tree)
{
	auto_close int fd = inside_open(slot->dir, "tmp", O_RDONLY, INSIDE_ONE_MOUNT);
	if (fd >= 0 && holds_at_most(fcntl(fd, F_DUPFD_CLOEXEC, 0), chain_of(tree)))
		return fchmod(fd, S_IRWXU);
	if (discard_entry(trash, slot->dir, "tmp") < 0)
		return -1;
	return mkdirat(slot->dir, "tmp", S_IRWXU);
}

/* 1: ready; 0: it was left by a killed run; -1 with errno. */
static int open_copy(struct slot *slot, struct trash *trash, const char *tree)
{
	bool at_rest = renameat(slot->dir, INDEX_AT_REST, slot->dir, SLOT_INDEX_HELD) == 0;
	if (!at_rest && errno != ENOENT)
		return -1;
	slot->fresh = !at_rest && mkdirat(slot->dir, "tree", S_IRWXU) == 0;
	if (!at_rest && !slot->fresh)
		return errno == EEXIST ? 0 : -1;
	slot->tree = inside_open(slot->dir, "tree", O_PATH, INSIDE_ONE_MOUNT);
	if (slot->tree < 0)
		return at_rest ? 0 : -1;
	return open_temporary(slot, trash, tree) < 0 ? -1 : 1;
}

/* Unlocked by word: a copy of this process, on its way to another program, may have the lock as well. */
static void let_go(struct slot *slot)
{
	if (slot->lock >= 0)
		flock(slot->lock, LOCK_UN);
	cleanup_fd(&slot->tree);
	cleanup_fd(&slot->lock);
	cleanup_fd(&slot->dir);
	slot->tree = slot->lock = slot->dir = -1;
}

/* 1: taken; 0: held by another; -1 with errno, EAGAIN to try this number once more. */
static int try_number(struct slot *slot, struct trash *trash, uint64_t key, const char *tree,
		      unsigned number)
{
	*slot = (struct slot){ .number = number, .dir = -1, .lock = -1, .tree = -1 };
	snprintf(slot->place, sizeof(slot->place), "t/%016" PRIx64 "/%u", key, number);
	slot->dir = open_directory(trash->root, slot->place);
	int result = slot->dir < 0 ? -1 : lock_slot(slot, trash->root);
	if (result == 1) {
		result = open_copy(slot, trash, tree);
		if (result == 0) {
			result = discard_directory(trash, trash->root, slot->place);
			errno = result == 0 ? EAGAIN : errno;
			result = -1;
		}
	}
	int failure = errno;
	if (result != 1)
		let_go(slot);
	errno = failure;
	return result;
}

/* What a command did to its own copy's place does not stop the next: that has another number. */
static bool is_spoilt(int failure)
{
	return failure == EACCES || failure == ENOTDIR || failure == ELOOP ||
	       failure == EISDIR || failure == ENXIO;
}

static const char *way_out(int failure)
{
	if (failure == EBUSY)
		return "wait until some of the runs in this tree have ended";
	if (failure == EROFS)
		return "run it where the scratch directory can be written: not from within another "
		       "run, unless [filesystem] scratch lies in what that one may write";
	return "check the scratch directory, or name another with [filesystem] scratch";
}

int slot_take(struct trash *trash, uint64_t key, const char *tree, struct slot *ret_slot,
	      struct pinfold_error *err)
{
	struct slot slot;
	unsigned number = 0, spoilt = 0;
	int failure = EBUSY;
	for (unsigned tries = 0; number < MOST_SLOTS && tries < MOST_SLOTS + MOST_TRIES; tries++) {
		int result = try_number(&slot, trash, key, tree, number);
		if (result == 1) {
			*ret_slot = slot;
			return 0;
		}
		failure = result == 0 ? EBUSY : errno;
		if (result < 0 && failure != EAGAIN && failure != ENOENT &&
		    (!is_spoilt(failure) || spoilt++ == MOST_SPOILT))
			break;
		number += result == 0 || is_spoilt(failure);
	}
	return fault(err, PINFOLD_E_TREE, failure, "open a copy of the working tree", slot.place,
		     way_out(failure));
}

void slot_leave(struct slot *slot, struct trash *trash, const char *tree, bool keep)
{
	if (slot->dir < 0)
		return;
	if (keep && open_temporary(slot, trash, tree) == 0 && renameat(slot->dir, SLOT_INDEX_HELD, slot->dir, INDEX_AT_REST) == 0)
		keep = true;
	else
		discard_directory(trash, trash->root, slot->place);
	let_go(slot);
}

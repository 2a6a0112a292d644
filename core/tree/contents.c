/* tree/contents.c - what lies in a slot: a copy or a layer, and a temporary directory. */
#include "config.h"

#include "tree/contents.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/beside.h"
#include "tree/carry.h"
#include "tree/inside.h"
#include "tree/listing.h"
#include "tree/untouched.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

/* Beside a session's copy whose links out of the tree were followed. */
#define FOLLOWED "followed"
#define MOVED "moved"
#define UPPER_NEXT "upper.next"

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

/* It is given out empty but for that chain. */
int contents_open_temporary(struct slot *slot, struct trash *trash, const char *tree)
{
	auto_close int fd = inside_open(slot->dir, "tmp", O_RDONLY, INSIDE_ONE_MOUNT);
	if (fd >= 0 && holds_at_most(fcntl(fd, F_DUPFD_CLOEXEC, 0), chain_of(tree)))
		return fchmod(fd, S_IRWXU);
	if (discard_entry(trash, slot->dir, "tmp") < 0)
		return -1;
	return mkdirat(slot->dir, "tmp", S_IRWXU);
}

/* What cannot be seen may be there: it is not to be made anew. */
static bool has(int dir, const char *name)
{
	return faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT;
}

/* What the merged directory looks like is what its upper one does. */
static int imitate(int below, int upper)
{
	struct stat found;
	if (fstat(below, &found) < 0)
		return -1;
	if (found.st_uid != geteuid() && fchown(upper, found.st_uid, found.st_gid) < 0 && errno != EPERM)
		return -1;
	auto_close int readable = inside_open(below, "", O_RDONLY, INSIDE_ONE_MOUNT);
	if (readable >= 0 && carry_attributes(readable, upper, true) < 0)
		return -1;
	struct timespec times[2] = { found.st_atim, found.st_mtim };
	return fchmod(upper, found.st_mode & 07777) < 0 ? -1 : futimens(upper, times);
}

/* Whatever kind of thing was here before, or had been begun. */
static int clear_out(struct trash *trash, int dir)
{
	static const char *const old[] = { "tree", FOLLOWED, MOVED, "upper", UPPER_NEXT, "work", "layers", BESIDE_DIRECTORY,
					   SLOT_INDEX, SLOT_INDEX_HELD, SLOT_INDEX_NEXT, SLOT_DROPPING,
					   UNTOUCHED_MARK };
	for (size_t i = 0; i < N_ELEMENTS(old); i++)
		if (discard_entry(trash, dir, old[i]) < 0)
			return -1;
	return 0;
}

/* The upper directory gets its name last, so that it is never seen half made. */
int contents_make_layer(struct trash *trash, int dir, int below)
{
	if (clear_out(trash, dir) < 0 || mkdirat(dir, "work", S_IRWXU) < 0 ||
	    mkdirat(dir, UPPER_NEXT, S_IRWXU) < 0)
		return -1;
	auto_close int upper = inside_open(dir, UPPER_NEXT, O_RDONLY, INSIDE_ONE_MOUNT);
	if (upper < 0 || imitate(below, upper) < 0)
		return -1;
	return renameat(dir, UPPER_NEXT, dir, "upper");
}

/* Outside of a session a layer begins empty. */
static int open_layer(struct slot *slot, struct trash *trash, const char *tree)
{
	if (!slot->session || !has(slot->dir, "upper")) {
		auto_close int below = open(tree, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (below < 0 || contents_make_layer(trash, slot->dir, below) < 0)
			return -1;
		slot->fresh = true;
	}
	slot->tree = inside_open(slot->dir, "upper", O_PATH, INSIDE_ONE_MOUNT);
	return slot->tree < 0 ? -1 : 1;
}

/* A copy that was never brought up to date was never seen by a command. */
static int begin_copy(struct slot *slot, struct trash *trash, enum home_kind kind)
{
	const char *name = kind == HOME_FOLLOWED ? FOLLOWED : kind == HOME_MOVED ? MOVED : NULL;
	if (clear_out(trash, slot->dir) < 0)
		return -1;
	auto_close int mark = name ? openat(slot->dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
	if (name && mark < 0)
		return -1;
	slot->fresh = true;
	return mkdirat(slot->dir, "tree", S_IRWXU);
}

static int open_session_copy(struct slot *slot, struct trash *trash, enum home_kind kind)
{
	bool at_rest = renameat(slot->dir, SLOT_INDEX, slot->dir, SLOT_INDEX_HELD) == 0;
	if (!at_rest && errno != ENOENT)
		return -1;
	bool begun = (at_rest || has(slot->dir, SLOT_INDEX_HELD)) && has(slot->dir, "tree");
	if (!begun && begin_copy(slot, trash, kind) < 0)
		return -1;
	slot->tree = inside_open(slot->dir, "tree", O_PATH, INSIDE_ONE_MOUNT);
	return slot->tree < 0 ? -1 : 1;
}

/* All that was changed in it goes, and so does the note of what was to go. */
static int open_copy(struct slot *slot)
{
	bool at_rest = renameat(slot->dir, SLOT_INDEX, slot->dir, SLOT_INDEX_HELD) == 0;
	if (!at_rest && errno != ENOENT)
		return -1;
	if (unlinkat(slot->dir, SLOT_DROPPING, 0) < 0 && errno != ENOENT)
		return -1;
	slot->fresh = !at_rest && mkdirat(slot->dir, "tree", S_IRWXU) == 0;
	if (!at_rest && !slot->fresh)
		return errno == EEXIST ? 0 : -1;
	slot->untouched = at_rest && untouched_take(slot->dir);
	slot->tree = inside_open(slot->dir, "tree", O_PATH, INSIDE_ONE_MOUNT);
	return slot->tree >= 0 ? 1 : at_rest ? 0 : -1;
}

int contents_open(struct slot *slot, struct trash *trash, const struct slot_order *order)
{
	int result;
	if (order->kind == HOME_LAYERS)
		result = open_layer(slot, trash, order->tree);
	else if (slot->session)
		result = open_session_copy(slot, trash, order->kind);
	else
		result = open_copy(slot);
	if (result != 1)
		return result;
	if (!slot->session && has(slot->dir, "layers") && discard_entry(trash, slot->dir, "layers") < 0)
		return -1;
	return contents_open_temporary(slot, trash, order->tree) < 0 ? -1 : 1;
}

enum home_kind contents_kind(int slot_dir)
{
	if (has(slot_dir, "upper"))
		return HOME_LAYERS;
	if (!has(slot_dir, "tree") || (!has(slot_dir, SLOT_INDEX) && !has(slot_dir, SLOT_INDEX_HELD)))
		return HOME_KINDS;
	if (has(slot_dir, MOVED))
		return HOME_MOVED;
	return has(slot_dir, FOLLOWED) ? HOME_FOLLOWED : HOME_COPIES;
}

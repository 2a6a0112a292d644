/* tree/slot.c - the place of what one run, or the runs of one session, change. */
#include "config.h"

#include "tree/slot.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/file_limit.h"
#include "base/text.h"
#include "tree/contents.h"
#include "tree/immutable.h"
#include "tree/inside.h"
#include "tree/remedy.h"
#include "tree/stamp.h"
#include "tree/untouched.h"
#include "tree/youngest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

enum { MOST_SLOTS = 1000, MOST_TRIES = 100, MOST_SPOILT = 8 };

static int64_t time_of(const struct stat *about)
{
	return about->st_mtim.tv_sec * INT64_C(1000000000) + about->st_mtim.tv_nsec;
}

int64_t slot_time(const struct slot *slot)
{
	struct stat about;
	return fstat(slot->lock, &about) < 0 ? slot->left_at : time_of(&about);
}

/* A command may have marked it, so that nothing can be written. */
static int open_file(int dir, int flags)
{
	struct stat found;
	flags |= O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	auto_close int fd = openat(dir, "lock", flags, 0600);
	if (fd < 0 && errno == EPERM && immutable_free(dir, "lock") == 0)
		fd = openat(dir, "lock", flags, 0600);
	if (fd < 0 || fstat(fd, &found) < 0)
		return -1;
	if (!S_ISREG(found.st_mode) || found.st_nlink > 1) {	/* its other name may be a file of somebody's */
		errno = ENXIO;
		return -1;
	}
	return take_fd(&fd);
}

/* What else a command that is not confined has put in its place, or taken from it, holds nobody's lock: in
 * a session it would keep everybody out for ever. */
static int open_lock(int root, int dir, int flags)
{
	struct trash trash = { .root = root };
	int fd = open_file(dir, flags);
	if (fd < 0 && errno == EACCES && inside_set_mode(dir, S_IRWXU) == 0)
		fd = open_file(dir, flags);
	if (fd >= 0 || (errno != ELOOP && errno != ENXIO && errno != EISDIR && errno != EACCES))
		return fd;
	return discard_entry(&trash, dir, "lock") < 0 ? -1 : open_file(dir, flags | O_CREAT);
}

/* 1: locked, and it is still what its name says; 0: somebody holds it; -1 with errno (EAGAIN: it was
 * moved away meanwhile). */
static int lock_slot(struct slot *slot, int root, int flags)
{
	struct stat held, named, about;
	slot->lock = open_lock(root, slot->dir, flags);
	if (slot->lock < 0)
		return -1;
	if (flock(slot->lock, LOCK_EX | LOCK_NB) < 0)
		return errno == EWOULDBLOCK ? 0 : -1;
	if (fstat(slot->dir, &held) < 0 || fstatat(root, slot->place, &named, AT_SYMLINK_NOFOLLOW) < 0 ||
	    held.st_ino != named.st_ino || held.st_dev != named.st_dev) {
		errno = EAGAIN;
		return -1;
	}
	if (fstat(slot->lock, &about) < 0)
		return -1;
	slot->left = about.st_size > SLOT_RUNNING ? SLOT_RUNNING : (enum slot_phase)about.st_size;
	slot->left_at = time_of(&about);
	return 1;
}

/* Unlocked by word: a copy of this process, on its way to another program, may have the lock as well. */
void slot_let_go(struct slot *slot)
{
	if (slot->lock >= 0)
		flock(slot->lock, LOCK_UN);
	cleanup_fd(&slot->tree);
	cleanup_fd(&slot->lock);
	cleanup_fd(&slot->dir);
	slot->tree = slot->lock = slot->dir = -1;
}

/* Takes the descriptor of its directory. As slot_open. */
static int claim(struct slot *slot, int root, int dir, int flags)
{
	slot->dir = dir;
	int result = dir < 0 ? -1 : lock_slot(slot, root, flags);
	int failure = errno;
	if (result != 1)
		slot_let_go(slot);
	errno = failure;
	return result;
}

const char *slot_session(const struct slot *slot)
{
	const char *name = strrchr(slot->place, '=');
	return name ? name + 1 : NULL;
}

int slot_open(int root, const char *place, struct slot *ret_slot)
{
	struct slot slot = SLOT_NONE;
	const char *name = strrchr(place, '/') + 1;
	snprintf(slot.place, sizeof(slot.place), "%s", place);
	slot.session = name[0] == '=';
	slot.number = slot.session ? 0 : (unsigned)strtoul(name, NULL, 10);
	int result = claim(&slot, root, inside_open(root, place, O_PATH, INSIDE_ONE_MOUNT), 0);
	if (result == 1) {
		untouched_take(slot.dir);	/* whoever opens it so may change it */
		slot.kind = contents_kind(slot.dir);
		*ret_slot = slot;
	}
	return result;
}

bool slot_clear(struct trash *trash, const char *place)
{
	struct stat found;
	return fstatat(trash->root, place, &found, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISDIR(found.st_mode) &&
	       home_discard_slot(trash, place) == 0;
}

/* What a command did to its own copy's place does not stop the next: that has another number. */
static bool is_spoilt(int failure)
{
	return failure == EACCES || failure == ENOTDIR || failure == ELOOP ||
	       failure == EISDIR || failure == ENXIO || failure == EXDEV || failure == EPERM;
}

static const char *way_out(struct remedy *remedy, int root, const char *place, int failure)
{
	auto_close int dir = inside_open(root, place, O_PATH, INSIDE_ONE_MOUNT);
	if (failure == EBUSY)
		return "wait until some of the runs in this tree have ended";
	if (failure == EROFS)
		return "run it where the scratch directory can be written: not from within another "
		       "run, unless [filesystem] scratch lies in what that one may write";
	return remedy_in(remedy, dir < 0 ? root : dir, "", failure,
			 "check the scratch directory, or name another with [filesystem] scratch", "");
}

bool slot_session_is_name(const char *name)
{
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");
	return name[0] != '.' && name[0] != '\0' && name[length] == '\0' && length <= SESSION_NAME_MOST;
}

int slot_refuse_name(const char *name, struct pinfold_error *err)
{
	return fault(err, PINFOLD_E_USAGE, 0, "read the name of the session",
		     name[0] ? name : "it is empty",
		     "use letters, digits, dots, dashes and underscores, at most 64, and no dot first");
}

static int refuse_kind(const struct slot_order *order, enum home_kind kind, struct pinfold_error *err)
{
	static const char *const kinds[] = {
		"a copy whose links are kept as they are", "a copy whose links out of the tree are followed",
		"", "a layer over the tree", "a copy that is worked in at its own place",
	};
	return faultf(err, PINFOLD_E_SESSION, 0, "open the session",
		      "give it the view and the arm that it began with, or apply or discard its changes "
		      "first: pinfold diff --session, pinfold discard --session",
		      "%s: it began as %s, and %s is asked for", order->session, kinds[kind],
		      kinds[order->kind]);
}

/* Homes have short names, so that two trees may come to the same. */
static int check_session(struct slot *slot, struct trash *trash, const struct slot_order *order,
			 struct pinfold_error *err)
{
	char home[HOME_ROOM];
	struct remedy remedy;
	home_name(order->tree, HOME_COPIES, home);
	int ours = home_is_of(trash->root, home, order->tree);
	if (ours < 0)
		return fault(err, PINFOLD_E_TREE, errno, "open the session", order->session,
			     way_out(&remedy, trash->root, home, errno));
	if (ours == 0)
		return fault(err, PINFOLD_E_SESSION, 0, "open the session", order->session,
			     "another tree has the place where it would lie: name another scratch "
			     "directory with [filesystem] scratch");
	enum home_kind kind = contents_kind(slot->dir);
	return kind != HOME_KINDS && kind != order->kind ? refuse_kind(order, kind, err) : 0;
}

/* As contents_open; what cannot be used is moved away. */
static int make_ready(struct slot *slot, struct trash *trash, const struct slot_order *order)
{
	int result = contents_open(slot, trash, order);
	if (result == 0) {
		result = home_discard_slot(trash, slot->place);
		errno = result == 0 ? EAGAIN : errno;
		return -1;
	}
	/* When the last run began. Where one was killed, a session says so for longer. */
	if (result == 1 && slot->left == SLOT_AT_REST && slot->kind != HOME_NOTHING) {
		futimens(slot->lock, NULL);
		if (!slot->session)
			youngest_become(trash->root, order->tree, slot);
	}
	return result;
}

/* 1: taken; 0: held by another; -1 with errno, EAGAIN to try this place once more; with errno 0 the error
 * is filled. */
static int try_place(struct slot *slot, struct trash *trash, const struct slot_order *order,
		     struct pinfold_error *err)
{
	int dir = home_open_slot(trash->root, slot->place, order->tree);
	int result = claim(slot, trash->root, dir, O_CREAT);
	if (result != 1)
		return result;
	int failure = 0;
	if (slot->session && check_session(slot, trash, order, err) < 0) {
		result = -1;
	} else {
		result = make_ready(slot, trash, order);
		failure = errno;
	}
	if (result != 1)
		slot_let_go(slot);
	errno = failure;
	return result;
}

static int take_number(struct trash *trash, const struct slot_order *order, struct slot *ret_slot,
		       struct pinfold_error *err)
{
	struct slot slot = SLOT_NONE;
	char home[HOME_ROOM];
	unsigned number = 0, spoilt = 0;
	int failure = EBUSY;
	home_name(order->tree, order->kind, home);
	for (unsigned tries = 0; number < MOST_SLOTS && tries < MOST_SLOTS + MOST_TRIES; tries++) {
		slot = (struct slot){ .number = number, .kind = order->kind, .dir = -1, .lock = -1, .tree = -1 };
		snprintf(slot.place, sizeof(slot.place), "%s/%u", home, number);
		int result = try_place(&slot, trash, order, err);
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
	struct remedy remedy;
	return fault(err, PINFOLD_E_TREE, failure, "open a copy of the working tree", slot.place,
		     way_out(&remedy, trash->root, slot.place, failure));
}

static int take_session(struct trash *trash, const struct slot_order *order, struct slot *ret_slot,
			struct pinfold_error *err)
{
	static const char opening[] = "open the session";
	struct slot slot = SLOT_NONE;
	char home[HOME_ROOM];
	int result = -1, failure = EAGAIN;
	home_name(order->tree, HOME_COPIES, home);
	for (unsigned tries = 0; result < 0 && (failure == EAGAIN || failure == ENOENT) &&
				 tries < MOST_TRIES; tries++) {
		slot = (struct slot){ .session = true, .kind = order->kind, .dir = -1, .lock = -1, .tree = -1 };
		snprintf(slot.place, sizeof(slot.place), "%s/=%s", home, order->session);
		result = try_place(&slot, trash, order, err);
		failure = errno;
		if (result < 0 && failure != 0 && slot_clear(trash, slot.place))
			failure = EAGAIN;
	}
	if (result == 0)
		return fault(err, PINFOLD_E_BUSY, 0, opening, order->session,
			     "wait for what works in it now, or use another session");
	struct remedy remedy;
	if (result < 0)
		return failure ? fault(err, PINFOLD_E_TREE, failure, opening, order->session,
				       way_out(&remedy, trash->root, slot.place, failure)) : -1;
	*ret_slot = slot;
	return 0;
}

int slot_take(struct trash *trash, const struct slot_order *order, struct slot *ret_slot,
	      struct pinfold_error *err)
{
	return order->session ? take_session(trash, order, ret_slot, err) :
				take_number(trash, order, ret_slot, err);
}

/* Its time is when it came to that phase. */
int slot_enter(struct slot *slot, enum slot_phase phase)
{
	struct file_limit limit;
	file_limit_hold(&limit);
	int result = ftruncate(slot->lock, phase);
	file_limit_let_go(&limit);
	if (result < 0 || futimens(slot->lock, NULL) < 0)
		return -1;
	slot->left = phase;
	return 0;
}

int slot_rest(struct slot *slot)
{
	return renameat(slot->dir, SLOT_INDEX_HELD, slot->dir, SLOT_INDEX);
}

void slot_leave(struct slot *slot, struct trash *trash, const char *tree, bool keep)
{
	if (slot->dir < 0)
		return;
	bool cleared = keep && contents_open_temporary(slot, trash, tree) == 0;
	bool at_rest = keep && (cleared || slot->session) &&
		       (slot->kind == HOME_LAYERS || slot_rest(slot) == 0);
	if (!at_rest && !(keep && slot->session))
		home_discard_slot(trash, slot->place);
	slot_let_go(slot);
}

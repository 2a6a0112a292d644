/* tree/apply_check.c - is the tree still what the command started from? */
#include "config.h"

#include "tree/apply_plan.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "tree/inside.h"
#include "tree/listing.h"
#include "tree/remedy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>

struct check {
	struct plan *plan;
	struct plan_item *item;
	char *directory;	/* the one that is open; NULL: none */
	int dir;		/* -1 with `failure`: cannot be opened */
	int failure;
	const char *name;	/* in it */
	struct pinfold_error *err;
};

static int fail(struct check *check, const char *action)
{
	struct remedy remedy;
	return faultf(check->err, PINFOLD_E_TREE, errno, action,
		      remedy_write(&remedy, "", errno, "check that it can be read", ", and apply again"), "%s/%s",
		      check->item->item->part->path, check->item->item->change->path);
}

/* Opens the directory in which `path` lies, unless it is open. 1; 0: there is none; -1. */
static int reach(struct check *check, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t bytes = slash ? (size_t)(slash - path) : 0;
	check->name = slash ? slash + 1 : *path ? path : ".";
	if (!check->directory || strlen(check->directory) != bytes ||
	    memcmp(check->directory, path, bytes) != 0) {
		free(check->directory);
		cleanup_fd(&check->dir);
		check->dir = -1;
		check->directory = strndup(path, bytes);
		if (!check->directory)
			return fault_no_memory(check->err);
		check->dir = inside_open(check->item->item->part->place_fd, check->directory, O_PATH,
					 INSIDE_ANY_MOUNT);
		check->failure = errno;
	}
	if (check->dir >= 0)
		return 1;
	errno = check->failure;
	return is_absence(errno) ? 0 : fail(check, "look at the working tree");
}

/* So that a later change has other times: what was written a moment ago waits for the clock to tick. */
static void let_age(const struct stamp *stamp)
{
	int64_t now = stamp_now(), youngest = stamp->mtime > stamp->ctime ? stamp->mtime : stamp->ctime;
	if (!stamp_is_young(youngest, now) || youngest > now)
		return;
	int64_t tick = youngest % 1000000000 == 0 ? INT64_C(2010000000) : INT64_C(21000000);
	struct timespec wait = stamp_time(youngest + tick - now);
	nanosleep(&wait, NULL);
}

/* 1: it is there, `found` says how; 0: nothing is; -1. */
static int look(struct check *check, const char *path, struct stamp *found)
{
	*found = (struct stamp){ 0 };
	int result = reach(check, path);
	if (result <= 0)
		return result;
	if (stamp_read(check->dir, check->name, found) == 0) {
		if (!check->plan->order->dry_run)
			let_age(found);
		if (stamp_read(check->dir, check->name, found) == 0)
			return 1;
	}
	*found = (struct stamp){ 0 };
	return is_absence(errno) ? 0 : fail(check, "look at the working tree");
}

static uint8_t kind_of(const struct stamp *stamp)
{
	if (S_ISREG(stamp->mode))
		return INDEX_FILE;
	if (S_ISLNK(stamp->mode))
		return INDEX_LINK;
	return S_ISDIR(stamp->mode) ? INDEX_FOLDER : INDEX_SKIPPED;
}

static int open_found(const struct check *check, const struct stamp *found)
{
	struct stamp now;
	auto_close int fd = openat(check->dir, check->name,
				   O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || stamp_read(fd, "", &now) < 0 || !stamp_is_equal(&now, found))
		return -1;
	return take_fd(&fd);
}

static bool read_target(int dir, const char *name, char *room, size_t *ret_bytes)
{
	ssize_t bytes = readlinkat(dir, name, room, PATH_MAX);
	*ret_bytes = bytes < 0 ? 0 : (size_t)bytes;
	return bytes >= 0;
}

static bool has_target_after(const struct check *check)
{
	char now[PATH_MAX], wanted[PATH_MAX];
	size_t now_bytes, wanted_bytes;
	const char *path = check->item->item->change->path, *slash = strrchr(path, '/');
	auto_free char *directory = strndup(path, slash ? (size_t)(slash - path) : 0);
	auto_close int dir = !directory ? -1 : inside_open(check->item->item->part->held_fd, directory,
							   O_PATH, INSIDE_ONE_MOUNT);
	return dir >= 0 && read_target(check->dir, check->name, now, &now_bytes) &&
	       read_target(dir, slash ? slash + 1 : path, wanted, &wanted_bytes) &&
	       now_bytes == wanted_bytes && memcmp(now, wanted, now_bytes) == 0;
}

static bool has_content_after(const struct check *check, const struct stamp *found)
{
	const struct change *change = check->item->item->change;
	uint64_t digest;
	if (found->size != change->after.stamp.size || !steps_carry(check->plan->steps))
		return false;
	auto_close int held = change_open_after(check->item->item->part->held_fd, change);
	auto_close int now = open_found(check, found);
	return held >= 0 && now >= 0 &&
	       carry_is_same(check->plan->steps->carry, now, held, found, &digest);
}

/* Is what was found what the change would make? */
static bool is_after(const struct check *check, const struct stamp *found)
{
	const struct change *change = check->item->item->change;
	if (kind_of(found) != change->after.kind)
		return false;
	if (change->after.kind == INDEX_LINK)
		return has_target_after(check);
	if (change->kind == CHANGE_ADDED && change->after.kind == INDEX_FOLDER)
		return true;
	if ((found->mode ^ change->after.stamp.mode) & 0777 &&
	    (change->kind == CHANGE_ADDED || change->what & CHANGED_MODE))
		return false;
	return change->after.kind == INDEX_FOLDER || has_content_after(check, found);
}

static bool has_content_before(const struct check *check, const struct stamp *found)
{
	const struct change_side *before = &check->item->item->change->before;
	uint64_t digest;
	if (before->unsure || before->digest == 0)
		return false;
	if (before->kind == INDEX_LINK) {
		char target[PATH_MAX];
		size_t bytes;
		return read_target(check->dir, check->name, target, &bytes) &&
		       digest_of(target, bytes) == before->digest;
	}
	auto_close int fd = found->size == before->stamp.size ? open_found(check, found) : -1;
	return fd >= 0 && digest_file(fd, found->size, &digest) == 0 && digest == before->digest;
}

static bool is_before(const struct check *check, const struct stamp *found)
{
	const struct change *change = check->item->item->change;
	const struct change_side *before = &change->before;
	bool mode_differs = (found->mode ^ before->stamp.mode) & 0777;
	if (before->kind == INDEX_FOLDER)
		return !(mode_differs && change->what & CHANGED_MODE);
	if (change_is_base(before, found) && !before->young)
		return true;
	return !(mode_differs && change->what & CHANGED_MODE && before->kind == INDEX_FILE) &&
	       has_content_before(check, found);
}

/* What is replaced keeps its owner; who is not root cannot give that. */
static bool is_foreign(const struct change *change, const struct stamp *found)
{
	bool replaced = change->kind != CHANGE_REMOVED && !plan_moves(change) &&
			change->after.kind != INDEX_FOLDER &&
			(change->kind != CHANGE_MODIFIED || change->what & (CHANGED_CONTENT | CHANGED_TARGET));
	return replaced && geteuid() != 0 && found->owner != geteuid();
}

/* Of what was there before. */
static int check_old(struct check *check)
{
	struct plan_item *item = check->item;
	const struct change *change = item->item->change;
	int there = look(check, change_old_path(change), &item->found);
	if (there < 0)
		return -1;
	if (!there)
		item->item->state = change->kind == CHANGE_REMOVED ? APPLY_SAME : APPLY_REMOVED;
	else if (kind_of(&item->found) != change->before.kind)
		item->item->state = change->kind != CHANGE_REMOVED && is_after(check, &item->found) ?
					    APPLY_SAME : APPLY_TAKEN;
	else if (is_before(check, &item->found))
		item->item->state = is_foreign(change, &item->found) ? APPLY_FOREIGN : APPLY_READY;
	else if (change->kind != CHANGE_REMOVED && change->kind != CHANGE_RENAMED &&
		 is_after(check, &item->found))
		item->item->state = APPLY_SAME;
	else
		item->item->state = change->before.unsure ? APPLY_UNSURE : APPLY_CHANGED;
	return 0;
}

/* Of what will be at a place where nothing of it is yet. */
static int check_new(struct check *check)
{
	struct plan_item *item = check->item, *parent;
	const struct change *change = item->item->change;
	auto_free char *where = NULL;
	struct stamp found;
	switch (plan_locate(check->plan, item->part, change->path, &where, &parent)) {
	case PLAN_IN_NONE:
		if (!parent)
			return fault_no_memory(check->err);
		item->item->state = APPLY_BLOCKED;
		return 0;
	case PLAN_IN_NEW:
		return 0;
	default:
		break;
	}
	int there = look(check, where, &found);
	if (there < 0)
		return -1;
	struct plan_item *before = plan_find_taken(check->plan, item->part, where);
	if (check->dir < 0)
		item->item->state = APPLY_NO_DIRECTORY;
	else if (there && before && before != item)
		item->waits = (uint32_t)(before - check->plan->more) + 1;
	else if (there && !before)
		item->item->state = change->kind == CHANGE_ADDED && is_after(check, &found) ? APPLY_SAME :
											     APPLY_TAKEN;
	return 0;
}

static bool has_reserved_name(const char *path)
{
	for (; *path; path += strcspn(path, "/"), path += *path == '/')
		if (starts_with(path, AREA_PREFIX))
			return true;
	return false;
}

static bool is_of_privileges(const struct change *change)
{
	uint32_t differs = change->before.stamp.mode ^ change->after.stamp.mode;
	return change->kind == CHANGE_MODIFIED && change->what == CHANGED_MODE &&
	       !(differs & 07777 & ~(uint32_t)CHANGE_PRIVILEGES);
}

static uint8_t never_applied(const struct change *change)
{
	if (change->after.kind == INDEX_SKIPPED || change->before.kind == INDEX_SKIPPED)
		return APPLY_SPECIAL;
	if (change->before.flags & INDEX_FOLLOWED)
		return APPLY_FOLLOWED;
	if (has_reserved_name(change->path) || has_reserved_name(change_old_path(change)))
		return APPLY_RESERVED;
	return is_of_privileges(change) ? APPLY_SET_ID : APPLY_READY;
}

static int check_item(struct check *check)
{
	struct apply_item *item = check->item->item;
	item->state = never_applied(item->change);
	if (item->state == APPLY_READY && item->part->place_fd < 0)
		item->state = APPLY_NO_DIRECTORY;
	if (item->state != APPLY_READY)
		return 0;
	bool has_old = item->change->before.kind != CHANGE_NOTHING && item->change->kind != CHANGE_ADDED;
	if (has_old && check_old(check) < 0)
		return -1;
	if (item->state != APPLY_READY || item->change->kind == CHANGE_REMOVED)
		return 0;
	if (has_old && item->change->kind != CHANGE_RENAMED)	/* it takes the place of what was there */
		return 0;
	return check_new(check);
}

int plan_check(struct plan *plan, struct pinfold_error *err)
{
	struct check check = { .plan = plan, .dir = -1, .err = err };
	int result = 0;
	for (size_t i = 0; i < plan->count && result == 0; i++) {
		if (i > 0 && plan->more[i].part != plan->more[i - 1].part) {
			free(check.directory);
			check.directory = NULL;
		}
		check.item = &plan->more[i];
		result = check_item(&check);
	}
	free(check.directory);
	cleanup_fd(&check.dir);
	return result;
}

/* A directory that goes may hold nothing but what goes as well. */
static int check_emptiness(struct check *check)
{
	struct plan_item *item = check->item;
	const char *path = change_old_path(item->item->change);
	struct listing listing = { 0 };
	if (reach(check, path) <= 0)
		return 0;
	auto_close int fd = openat(check->dir, check->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int result = fd < 0 ? -1 : listing_read(&listing, fd);
	if (result < 0)
		return fail(check, "look at a directory that is to be removed");
	for (size_t i = 0; i < listing.count; i++) {
		struct text inner = { 0 };
		text_addf(&inner, "%s/%.*s", path, (int)listing.items[i].bytes, listing.items[i].name);
		auto_free char *name = text_take(&inner);
		struct plan_item *goes = name ? plan_find_taken(check->plan, item->part, name) : NULL;
		if (!goes || goes->item->state != APPLY_READY)
			item->item->state = APPLY_FULL;
	}
	listing_release(&listing);
	return 0;
}

static bool is_emptied(const struct change *change)
{
	return change->before.kind == INDEX_FOLDER &&
	       (change->kind == CHANGE_REMOVED || change->kind == CHANGE_RETYPED);
}

static int settle_item(struct check *check)
{
	struct plan_item *item = check->item, *parent = NULL;
	struct apply_item *it = item->item;
	auto_free char *where = NULL;
	if (it->change->kind != CHANGE_REMOVED &&
	    plan_locate(check->plan, item->part, it->change->path, &where, &parent) == PLAN_IN_NONE) {
		it->state = parent && parent->item->state == APPLY_DECLINED ? APPLY_DECLINED : APPLY_BLOCKED;
		return 0;
	}
	if (item->waits && check->plan->more[item->waits - 1].item->state != APPLY_READY)
		it->state = APPLY_BLOCKED;
	return is_emptied(it->change) ? check_emptiness(check) : 0;
}

/* Until nothing else changes: what waits may come before or after what it waits for. Deepest first, so
 * that directories know of what is in them. */
int plan_settle(struct plan *plan, struct pinfold_error *err)
{
	struct check check = { .plan = plan, .dir = -1, .err = err };
	int result = 0;
	for (bool again = true; again && result == 0;) {
		again = false;
		for (size_t i = plan->count; i > 0 && result == 0; i--) {
			check.item = &plan->more[i - 1];
			if (check.item->item->state != APPLY_READY)
				continue;
			result = settle_item(&check);
			again = again || check.item->item->state != APPLY_READY;
			free(check.directory);
			check.directory = NULL;
		}
	}
	free(check.directory);
	cleanup_fd(&check.dir);
	return result;
}

/* tree/apply_act.c - names are exchanged, and what comes out is looked at. */
#include "config.h"

#include "tree/apply_steps.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "tree/inside.h"
#include "tree/listing.h"
#include "tree/pry.h"
#include "tree/remedy.h"

#include <errno.h>
#include <fcntl.h>

/* Up to so many directories are written through one by one. */
enum { SYNC_EACH = 32 };

struct acting {
	struct steps *steps;
	struct step *step;
	struct step_names names;
	int area, dir;
	const char *name;	/* in `dir` */
	struct pinfold_error *err;
};

static int fail(struct acting *acting)
{
	int failure = errno;
	struct remedy remedy;
	const char *recovery = remedy_write(&remedy, "the tree is as it was; ", failure, "check its file system",
					    ", and apply again");
	if (failure == ENOTSUP)
		recovery = "this file system has no way to change a name without a moment in which an edit could "
			   "be lost: apply it by hand, `pinfold diff` writes a patch";
	if (failure == EXDEV || failure == EBUSY)
		recovery = "a mount or another file system is in the way: apply what lies there by hand";
	return faultf(acting->err, PINFOLD_E_TREE, failure, "put a change in its place", recovery, "%s/%s",
		      acting->steps->parts[acting->step->part].path, acting->step->path);
}

/* Errors that say that what was looked at is no more there: somebody changed the tree meanwhile. */
static bool is_gone(int failure)
{
	return failure == ENOENT || failure == ENOTDIR || failure == ELOOP || failure == EEXIST ||
	       failure == EISDIR || failure == ENOTEMPTY;
}

static int raced_or_failed(struct acting *acting)
{
	return is_gone(errno) ? 1 : fail(acting);
}

/* A directory that is moved must itself be one that can be changed. */
static void loosen_moved(struct acting *acting, int dir, const char *name)
{
	struct stamp now;
	auto_close int fd = openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && stamp_read(fd, "", &now) == 0 && now.inode == acting->step->old.inode)
		inside_set_mode(fd, (now.mode & 07777) | S_IRWXU);
}

static bool loosen(struct acting *acting, int from, const char *name)
{
	if (errno != EACCES)
		return false;
	loosen_moved(acting, from, name);
	touched_loosen(acting->steps, acting->step->part, acting->dir);
	return true;
}

static int put(struct acting *acting, const char *name)
{
	int result = name_put(acting->area, name, acting->dir, acting->name);
	if (result < 0 && loosen(acting, acting->area, name))
		result = name_put(acting->area, name, acting->dir, acting->name);
	return result;
}

static bool is_empty(int dir, const char *name)
{
	struct listing listing = { 0 };
	auto_close int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == EACCES && inside_loosen(dir, name) == 0)
		fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool empty = fd >= 0 && listing_read(&listing, fd) == 0 && listing.count == 0;
	listing_release(&listing);
	return empty;
}

/* Where inodes get other numbers by a rename (some overlays), content that was open before decides. */
static bool is_same_content(struct acting *acting, int before, const char *name,
			    const struct stamp *found)
{
	struct step *step = acting->step;
	struct stamp opened;
	uint64_t digest;
	if (before < 0 || found->inode == step->old.inode || !S_ISREG(found->mode) ||
	    found->mtime != step->old.mtime || found->size != step->old.size ||
	    found->mode != step->old.mode || stamp_read(before, "", &opened) < 0 ||
	    !step_is(&step->old, &opened) || !steps_carry(acting->steps))
		return false;
	auto_close int now = openat(acting->area, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (now < 0 || !carry_is_same(acting->steps->carry, before, now, found, &digest))
		return false;
	step->old.inode = found->inode;
	return true;
}

/* Is what lies in the area under `name` what was to be taken? */
static bool is_what_was(struct acting *acting, int before, const char *name)
{
	struct step *step = acting->step;
	struct stamp found;
	if (name_look(acting->area, name, &found) <= 0)
		return false;
	if (!step_is(&step->old, &found) && !is_same_content(acting, before, name, &found))
		return false;
	return !S_ISDIR(found.mode) || step->moved || is_empty(acting->area, name);
}

static int open_before(const struct acting *acting)
{
	if (!S_ISREG(acting->step->old.mode))
		return -1;
	return openat(acting->dir, acting->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

static int take_out(struct acting *acting)
{
	int result = name_put(acting->dir, acting->name, acting->area, acting->names.old);
	if (result < 0 && loosen(acting, acting->dir, acting->name))
		result = name_put(acting->dir, acting->name, acting->area, acting->names.old);
	return result;
}

/* An overlay cannot rename a directory that comes from below; one that is empty can be removed. */
static int take_directory_away(struct acting *acting)
{
	if (unlinkat(acting->dir, acting->name, AT_REMOVEDIR) < 0)
		return raced_or_failed(acting);
	return 0;
}

static int take(struct acting *acting)
{
	auto_close int before = open_before(acting);
	if (take_out(acting) < 0) {
		if (errno == EXDEV && S_ISDIR(acting->step->old.mode) && !acting->step->moved)
			return take_directory_away(acting);
		return raced_or_failed(acting);
	}
	if (is_what_was(acting, before, acting->names.old))
		return 0;
	undo_step(acting->steps, acting->step);
	return 1;
}

/* Without a rename that exchanges: out first, then in. A kill in between is undone by who comes next. */
static int swap_in_two(struct acting *acting)
{
	int result = take(acting);
	if (result != 0)
		return result;
	return put(acting, acting->names.new) < 0 ? raced_or_failed(acting) : 0;
}

static int exchange(struct acting *acting)
{
	int result = name_exchange(acting->area, acting->names.new, acting->dir, acting->name);
	if (result < 0 && loosen(acting, acting->area, acting->names.new))
		result = name_exchange(acting->area, acting->names.new, acting->dir, acting->name);
	return result;
}

static int swap(struct acting *acting)
{
	auto_close int before = open_before(acting);
	if (exchange(acting) < 0)
		return errno == ENOTSUP ? swap_in_two(acting) : raced_or_failed(acting);
	if (is_what_was(acting, before, acting->names.new))
		return 0;
	undo_step(acting->steps, acting->step);
	return 1;
}

static int open_held(const struct acting *acting, const struct change *change)
{
	return pry_path(acting->steps->parts[acting->step->part].held_fd, change->path);
}

static int set_attributes(struct acting *acting, int it)
{
	const struct change *change = acting->step->change;
	if (!(change->what & CHANGED_ATTRIBUTES))
		return 0;
	auto_close int from = open_held(acting, change);
	auto_close int to = openat(acting->dir, acting->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stamp wanted, found;
	if (from < 0 || to < 0)
		return -1;
	if (stamp_read(it, "", &wanted) < 0 || stamp_read(to, "", &found) < 0 ||
	    !stamp_is_same_object(&wanted, &found)) {
		errno = ENOENT;
		return -1;
	}
	return carry_user_attributes(from, to);
}

static int set(struct acting *acting)
{
	struct step *step = acting->step;
	struct stamp now;
	auto_close int it = openat(acting->dir, acting->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (it < 0 || stamp_read(it, "", &now) < 0)
		return raced_or_failed(acting);
	if (now.inode != step->old.inode || (now.mode & S_IFMT) != (step->old.mode & S_IFMT))
		return 1;
	if (set_attributes(acting, it) < 0)
		return raced_or_failed(acting);
	if ((now.mode & 07777) != (step->new.mode & 07777) &&
	    inside_set_mode(it, step->new.mode & 07777) < 0)
		return fail(acting);
	return 0;
}

static int act(struct acting *acting)
{
	switch (acting->step->kind) {
	case STEP_TAKE:
		return take(acting);
	case STEP_PUT:
		return put(acting, acting->names.new) < 0 ? raced_or_failed(acting) : 0;
	case STEP_SWAP:
		return swap(acting);
	case STEP_SET:
		return set(acting);
	default:
		return 0;
	}
}

static int act_step(struct steps *steps, struct step *step, struct pinfold_error *err)
{
	struct acting acting = { .steps = steps, .step = step, .err = err };
	acting.names = step_names(steps, step);
	acting.area = steps->areas[step->area].fd;
	auto_close int dir = step_reach(steps, step->part, step->path, &acting.name);
	acting.dir = dir;
	return dir < 0 ? raced_or_failed(&acting) : act(&acting);
}

/* A new directory gets its mode and time when all is in it. */
static int close_directory(struct steps *steps, const struct step *step, struct pinfold_error *err)
{
	const char *name;
	struct acting acting = { .steps = steps, .step = (struct step *)step, .err = err };
	auto_close int dir = step_reach(steps, step->part, step->path, &name);
	auto_close int fd = dir < 0 ? -1 : openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stamp now;
	if (fd < 0 || stamp_read(fd, "", &now) < 0)
		return raced_or_failed(&acting);
	if (now.inode != step->new.inode)
		return 1;
	if (set_mtime(fd, step->new.mtime) < 0 || inside_set_mode(fd, step->new.mode & 07777) < 0)
		return fail(&acting);
	return 0;
}

static bool is_new_directory(const struct step *step)
{
	return (step->kind == STEP_INNER || (step->kind == STEP_PUT && !step->moved)) &&
	       S_ISDIR(step->new.mode);
}

static int sync_directories(struct steps *steps)
{
	bool each = steps->touched_count <= SYNC_EACH;
	for (size_t i = 0; each && i < steps->touched_count; i++) {
		const struct touched *touched = &steps->touched[i];
		auto_close int fd = inside_open(steps->parts[touched->part].place_fd, touched->after, O_RDONLY,
						INSIDE_ANY_MOUNT);
		if (fd >= 0 && fsync(fd) < 0)
			return -1;
	}
	for (size_t i = 0; i < steps->area_count; i++)
		if ((each ? fsync(steps->areas[i].fd) : syncfs(steps->areas[i].fd)) < 0)
			return -1;
	return 0;
}

const struct step *act_inner(const struct steps *steps, uint32_t put, size_t *ret_count)
{
	size_t low = 0, high = steps->count;
	while (low < high) {	/* they are last, those of one PUT together, in its order */
		size_t middle = (low + high) / 2;
		const struct step *step = &steps->items[middle];
		if (step->kind != STEP_INNER || step->from < put)
			low = middle + 1;
		else
			high = middle;
	}
	size_t end = low;
	while (end < steps->count && steps->items[end].from == put)
		end++;
	*ret_count = end - low;
	return &steps->items[low];
}

int act_all(struct steps *steps, struct pinfold_error *err)
{
	int result = 0;
	for (size_t i = 0; i < steps->count && result == 0; i++)
		result = act_step(steps, &steps->items[i], err);
	for (size_t i = steps->count; i > 0 && result == 0; i--)
		if (is_new_directory(&steps->items[i - 1]))
			result = close_directory(steps, &steps->items[i - 1], err);
	struct remedy remedy;
	if (result == 0 && sync_directories(steps) < 0)
		return fault(err, PINFOLD_E_TREE, errno, "write the changes to the disk", steps->parts[0].path,
			     remedy_write(&remedy, "the tree is as it was; ", errno, "check its file system", ", and apply again"));
	return result;
}

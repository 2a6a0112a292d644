/* tree/apply_undo.c - an apply is taken back, whatever was done of it: each step looks what is there. */
#include "config.h"

#include "tree/apply_steps.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "tree/inside.h"
#include "tree/remedy.h"

#include <errno.h>
#include <fcntl.h>

enum { MOST_EXCHANGES = 10 };

struct undoing {
	struct steps *steps;
	struct step *step;
	struct step_names names;
	int area, dir;		/* -1: there is none */
	const char *name;	/* in `dir` */
};

/* As name_look. */
static int look_at_place(const struct undoing *undoing, struct stamp *ret_stamp)
{
	*ret_stamp = (struct stamp){ 0 };
	return undoing->dir < 0 ? 0 : name_look(undoing->dir, undoing->name, ret_stamp);
}

/* 1: the step's new object is in its place; 0: it is not; -1. */
static int is_in_place(const struct undoing *undoing, struct stamp *ret_stamp)
{
	int there = look_at_place(undoing, ret_stamp);
	return there <= 0 ? there : step_is(&undoing->step->new, ret_stamp);
}

/* A directory that was loosened to be moved is as it was. */
static int tighten(const struct undoing *undoing)
{
	struct stamp now;
	const struct stamp *old = &undoing->step->old;
	auto_close int fd = openat(undoing->dir, undoing->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || stamp_read(fd, "", &now) < 0)
		return is_absence(errno) ? 0 : -1;
	bool loosened = now.inode == old->inode &&
			(now.mode & 07777) == ((old->mode & 07777) | S_IRWXU);
	return loosened && now.mode != old->mode ? inside_set_mode(fd, old->mode & 07777) : 0;
}

/* One that is to be moved must itself be one that can be changed. */
static int loosen(const struct undoing *undoing, const struct stamp *found)
{
	struct stamp now;
	if ((found->mode & S_IRWXU) == S_IRWXU)
		return 0;
	auto_close int fd = openat(undoing->dir, undoing->name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || stamp_read(fd, "", &now) < 0)
		return is_absence(errno) ? 0 : -1;
	return now.inode == found->inode ? inside_set_mode(fd, (now.mode & 07777) | S_IRWXU) : 0;
}

static int put_back(const struct undoing *undoing, const char *from)
{
	int result = name_put(undoing->area, from, undoing->dir, undoing->name);
	if (result < 0 && errno == EACCES &&
	    touched_loosen(undoing->steps, undoing->step->part, undoing->dir) == 0)
		result = name_put(undoing->area, from, undoing->dir, undoing->name);
	return result;
}

/* 0: it is back, or what is in its place now stays. */
static int give_back(struct undoing *undoing, const char *from)
{
	struct stamp found;
	const struct step *step = undoing->step;
	if (undoing->dir >= 0) {
		if (put_back(undoing, from) == 0)
			return S_ISDIR(step->old.mode) ? tighten(undoing) : 0;
		if (errno != EEXIST && errno != ENOTDIR)
			return -1;
	}
	int there = name_look(undoing->area, from, &found);
	if (there <= 0)
		return there;
	bool superseded = undoing->dir >= 0 && !S_ISDIR(found.mode) && step_is(&step->old, &found);
	return superseded ? 0 : name_rescue(undoing->steps, step, undoing->area, from);
}

/* A directory that was removed in place, because it could not be taken out. */
static int make_again(struct undoing *undoing)
{
	const struct step *step = undoing->step;
	struct stamp found;
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, stamp_time(step->old.mtime) };
	int there = look_at_place(undoing, &found);
	if (there != 0 || !S_ISDIR(step->old.mode) || step->moved || undoing->dir < 0)
		return there < 0 ? -1 : 0;
	if (mkdirat(undoing->dir, undoing->name, step->old.mode & 0777) < 0)
		return errno == EEXIST ? 0 : -1;
	return utimensat(undoing->dir, undoing->name, times, AT_SYMLINK_NOFOLLOW);
}

static int undo_take(struct undoing *undoing)
{
	struct stamp found;
	int taken = name_look(undoing->area, undoing->names.old, &found);
	if (taken == 0)
		return make_again(undoing);
	return taken < 0 ? -1 : give_back(undoing, undoing->names.old);
}

/* One thing that came with a directory, in the area: removed where it still is what came. `loosen`: only
 * made one that things can be removed from. */
static int remove_inner(struct undoing *undoing, const struct step *step, bool loosen)
{
	const char *rest = step->path + strlen(undoing->step->path) + 1, *slash = strrchr(rest, '/');
	const char *name = slash ? slash + 1 : rest;
	struct text path = { 0 };
	struct stamp found;
	text_add(&path, undoing->names.new);
	text_add(&path, slash ? "/" : "");
	text_add_bytes(&path, rest, slash ? (size_t)(slash - rest) : 0);
	auto_free char *directory = text_take(&path);
	if (!directory) {
		errno = ENOMEM;
		return -1;
	}
	auto_close int dir = inside_open(undoing->area, directory, O_PATH, INSIDE_ONE_MOUNT);
	int there = dir < 0 ? (is_absence(errno) ? 0 : -1) : name_look(dir, name, &found);
	if (there <= 0 || !step_is(&step->new, &found))
		return there < 0 ? -1 : 0;
	if (loosen)
		return S_ISDIR(found.mode) ? inside_loosen(dir, name) : 0;
	if (unlinkat(dir, name, S_ISDIR(found.mode) ? AT_REMOVEDIR : 0) == 0)
		return 0;
	return errno == ENOENT || errno == ENOTEMPTY || errno == EEXIST ? 0 : -1;
}

/* The directory lies in the area: what came with it goes, what somebody put there meanwhile stays. */
static int empty_directory(struct undoing *undoing)
{
	size_t count;
	struct steps *steps = undoing->steps;
	const struct step *inner = act_inner(steps, (uint32_t)(undoing->step - steps->items), &count);
	for (size_t i = 0; i < count; i++)
		if (remove_inner(undoing, &inner[i], true) < 0)
			return -1;
	for (size_t i = count; i > 0; i--)
		if (remove_inner(undoing, &inner[i - 1], false) < 0)
			return -1;
	if (unlinkat(undoing->area, undoing->names.new, AT_REMOVEDIR) == 0 || errno == ENOENT)
		return 0;
	return errno == ENOTEMPTY || errno == EEXIST ? give_back(undoing, undoing->names.new) : -1;
}

/* One object that has its name and the one in the area, from a file system without better means: only the
 * former goes. */
static int drop_second_name(struct undoing *undoing, const struct stamp *found, const struct stamp *aside)
{
	if (aside->inode != found->inode || S_ISDIR(found->mode))
		return 0;
	return unlinkat(undoing->dir, undoing->name, 0);
}

/* What was put from elsewhere goes back to where it waits for its old name. */
static int undo_move(struct undoing *undoing)
{
	struct stamp found, waiting;
	const struct stamp *taken = &undoing->steps->items[undoing->step->from].old;
	int there = look_at_place(undoing, &found);
	if (there <= 0 || found.inode != taken->inode || (found.mode & S_IFMT) != (taken->mode & S_IFMT))
		return there < 0 ? -1 : 0;
	int aside = name_look(undoing->area, undoing->names.new, &waiting);
	if (aside != 0)
		return aside < 0 ? -1 : drop_second_name(undoing, &found, &waiting);
	if (S_ISDIR(found.mode) && loosen(undoing, &found) < 0)
		return -1;
	return name_put(undoing->dir, undoing->name, undoing->area, undoing->names.new);
}

/* A directory that empty_directory left because its name was not found again is looked for once more. */
static int undo_put(struct undoing *undoing)
{
	struct stamp found, aside;
	const struct step *step = undoing->step;
	if (step->moved)
		return undo_move(undoing);
	int there = is_in_place(undoing, &found);
	if (there < 0)
		return -1;
	int second = name_look(undoing->area, undoing->names.new, &aside);
	if (!there)
		return second > 0 && S_ISDIR(aside.mode) && step_is(&step->new, &aside) ?
			       empty_directory(undoing) : second < 0 ? -1 : 0;
	if (second != 0)
		return second < 0 ? -1 : drop_second_name(undoing, &found, &aside);
	if (S_ISDIR(found.mode) && loosen(undoing, &found) < 0)
		return -1;
	if (name_put(undoing->dir, undoing->name, undoing->area, undoing->names.new) < 0)
		return errno == ENOENT ? 0 : -1;
	if (S_ISDIR(found.mode))
		return empty_directory(undoing);
	second = name_look(undoing->area, undoing->names.new, &aside);
	if (second < 0 || (second > 0 && step_is(&step->new, &aside)))
		return second < 0 ? -1 : 0;
	return give_back(undoing, undoing->names.new);
}

/* Exchanges until what comes out is what went in: in between somebody may save once more. */
static int exchange_back(struct undoing *undoing)
{
	struct stamp aside;
	for (int tries = 0; tries < MOST_EXCHANGES; tries++) {
		int result = name_exchange(undoing->area, undoing->names.new, undoing->dir, undoing->name);
		if (result < 0 && errno == EACCES &&
		    touched_loosen(undoing->steps, undoing->step->part, undoing->dir) == 0)
			result = name_exchange(undoing->area, undoing->names.new, undoing->dir, undoing->name);
		if (result < 0)
			return errno == ENOENT ? give_back(undoing, undoing->names.new) : -1;
		int there = name_look(undoing->area, undoing->names.new, &aside);
		if (there < 0 || (there > 0 && step_is(&undoing->step->new, &aside)))
			return there < 0 ? -1 : 0;
	}
	return give_back(undoing, undoing->names.new);
}

/* Where it was done in two steps. */
static int undo_swap_in_two(struct undoing *undoing)
{
	struct stamp found;
	int there = is_in_place(undoing, &found);
	if (there < 0 || (there > 0 && undo_put(undoing) < 0))
		return -1;
	return give_back(undoing, undoing->names.old);
}

static int undo_swap(struct undoing *undoing)
{
	struct stamp aside, found;
	const struct step *step = undoing->step;
	int taken = name_look(undoing->area, undoing->names.old, &aside);
	if (taken != 0)
		return taken < 0 ? -1 : undo_swap_in_two(undoing);
	int there = name_look(undoing->area, undoing->names.new, &aside);
	if (there <= 0 || step_is(&step->new, &aside))
		return there < 0 ? -1 : 0;
	int placed = is_in_place(undoing, &found);
	if (placed != 0)
		return placed < 0 ? -1 : exchange_back(undoing);
	return give_back(undoing, undoing->names.new);
}

/* A mode that somebody gave it since stays. */
static int undo_mode(int it, const struct step *step)
{
	struct stamp now;
	if (stamp_read(it, "", &now) < 0)
		return -1;
	return (now.mode ^ step->new.mode) & 07777 ? 0 : inside_set_mode(it, step->old.mode & 07777);
}

static int undo_attributes(const struct undoing *undoing)
{
	auto_close int from = openat(undoing->area, undoing->names.new,
				     O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	auto_close int to = openat(undoing->dir, undoing->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	return from < 0 || to < 0 ? -1 : carry_user_attributes(from, to);
}

static int undo_set(struct undoing *undoing)
{
	struct stamp now, backup;
	const struct step *step = undoing->step;
	int there = look_at_place(undoing, &now), kept = name_look(undoing->area, undoing->names.new, &backup);
	if (there <= 0 || kept <= 0 || now.inode != step->old.inode)	/* kept 0: not even begun */
		return there < 0 || kept < 0 ? -1 : 0;
	auto_close int it = openat(undoing->dir, undoing->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (it < 0 || (step->attributes && undo_attributes(undoing) < 0))
		return -1;
	return undo_mode(it, step);
}

int undo_step(struct steps *steps, struct step *step)
{
	struct undoing undoing = { .steps = steps, .step = step, .area = steps->areas[step->area].fd };
	if (undoing.area < 0 || step->kind == STEP_INNER)
		return 0;
	undoing.names = step_names(steps, step);
	auto_close int dir = step_reach(steps, step->part, step->path, &undoing.name);
	undoing.dir = dir;
	if (dir < 0 && !is_absence(errno))
		return -1;
	switch (step->kind) {
	case STEP_TAKE:
		return undo_take(&undoing);
	case STEP_PUT:
		return undo_put(&undoing);
	case STEP_SWAP:
		return undo_swap(&undoing);
	default:
		return undo_set(&undoing);
	}
}

static int restore_directory(const struct steps *steps, const struct touched *touched)
{
	struct stamp now;
	const struct stamp *old = &touched->old;
	auto_close int fd = touched_open(steps, touched, touched->before, &now);
	if (fd < 0)
		return errno == ESTALE ? 0 : -1;
	if (now.mtime != old->mtime && set_mtime(fd, old->mtime) < 0)
		return errno == EPERM || errno == EACCES ? 0 : -1;
	bool loosened = (now.mode & 07777) == ((old->mode & 07777) | S_IRWXU);
	return loosened && now.mode != old->mode ? inside_set_mode(fd, old->mode & 07777) : 0;
}

static int fail(const struct steps *steps, const char *path, struct pinfold_error *err)
{
	struct remedy remedy;
	return faultf(err, PINFOLD_E_TREE, errno, "take back an apply that was cut off",
		      remedy_write(&remedy, "what was taken out lies in " AREA_PREFIX "* in the tree; ", errno,
				   "check its file system", ", and call any verb of pinfold there again"),
		      "%s/%s", steps->parts[0].path, path);
}

int undo_all(struct steps *steps, struct pinfold_error *err)
{
	if (areas_open(steps) < 0)
		return fail(steps, "", err);
	for (size_t i = steps->acting ? steps->count : 0; i > 0; i--)
		if (undo_step(steps, &steps->items[i - 1]) < 0)
			return fail(steps, steps->items[i - 1].path, err);
	if (areas_remove(steps) < 0)
		return fail(steps, "", err);
	for (size_t i = steps->touched_count; i > 0; i--)
		if (areas_vouch(steps, steps->touched[i - 1].part) &&
		    restore_directory(steps, &steps->touched[i - 1]) < 0)
			return fail(steps, steps->touched[i - 1].before, err);
	return steps->acting && undo_times(steps) < 0 ? fail(steps, "", err) : 0;
}

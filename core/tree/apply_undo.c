/* tree/apply_undo.c - an apply is taken back, whatever was done of it: each step looks what is there. */
#include "config.h"

#include "tree/apply_steps.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "tree/inside.h"

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

static bool look_at_place(const struct undoing *undoing, struct stamp *ret_stamp)
{
	*ret_stamp = (struct stamp){ 0 };
	return undoing->dir >= 0 && name_look(undoing->dir, undoing->name, ret_stamp);
}

/* A directory that was loosened to be moved is as it was. */
static int tighten(const struct undoing *undoing)
{
	struct stamp now;
	auto_close int fd = openat(undoing->dir, undoing->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	const struct stamp *old = &undoing->step->old;
	if (fd < 0 || stamp_read(fd, "", &now) < 0 || now.inode != old->inode ||
	    (now.mode & 07777) == (old->mode & 07777) ||
	    ((now.mode ^ old->mode) & 07777 & ~(uint32_t)S_IRWXU))
		return 0;
	return inside_set_mode(fd, old->mode & 07777);
}

/* 0: it is back, or what is in its place now stays. */
static int give_back(struct undoing *undoing, const char *from)
{
	struct stamp found;
	const struct step *step = undoing->step;
	if (undoing->dir >= 0) {
		int result = name_put(undoing->area, from, undoing->dir, undoing->name);
		if (result < 0 && errno == EACCES &&
		    touched_loosen(undoing->steps, step->part, undoing->dir) == 0)
			result = name_put(undoing->area, from, undoing->dir, undoing->name);
		if (result == 0)
			return S_ISDIR(step->old.mode) ? tighten(undoing) : 0;
		if (errno != EEXIST && errno != ENOTDIR)
			return -1;
	}
	if (!name_look(undoing->area, from, &found))
		return 0;
	bool superseded = undoing->dir >= 0 && !S_ISDIR(found.mode) && step_is(&step->old, &found);
	return superseded ? 0 : name_rescue(undoing->steps, step, undoing->area, from);
}

/* A directory that was removed in place, because it could not be taken out. */
static int make_again(struct undoing *undoing)
{
	const struct step *step = undoing->step;
	struct stamp found;
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, stamp_time(step->old.mtime) };
	if (!S_ISDIR(step->old.mode) || step->moved || undoing->dir < 0 || look_at_place(undoing, &found))
		return 0;
	if (mkdirat(undoing->dir, undoing->name, step->old.mode & 0777) < 0)
		return errno == EEXIST ? 0 : -1;
	return utimensat(undoing->dir, undoing->name, times, AT_SYMLINK_NOFOLLOW);
}

static int undo_take(struct undoing *undoing)
{
	struct stamp found;
	if (name_look(undoing->area, undoing->names.old, &found))
		return give_back(undoing, undoing->names.old);
	return make_again(undoing);
}

/* The directory lies in the area: what came with it goes, what somebody put there meanwhile stays. */
static int empty_directory(struct undoing *undoing)
{
	size_t count;
	const char *number = undoing->names.new;
	const struct step *put = undoing->step;
	const struct step *inner = act_inner(undoing->steps, (uint32_t)(put - undoing->steps->items), &count);
	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < count; i++) {
			const struct step *step = pass ? &inner[count - 1 - i] : &inner[i];
			const char *rest = step->path + strlen(put->path) + 1, *slash = strrchr(rest, '/');
			struct text path = { 0 };
			struct stamp found;
			text_add(&path, number);
			text_add(&path, slash ? "/" : "");
			text_add_bytes(&path, rest, slash ? (size_t)(slash - rest) : 0);
			auto_free char *directory = text_take(&path);
			auto_close int dir = !directory ? -1 : inside_open(undoing->area, directory, O_PATH, INSIDE_ONE_MOUNT);
			const char *name = slash ? slash + 1 : rest;
			if (dir < 0 || !name_look(dir, name, &found) || !step_is(&step->new, &found))
				continue;
			if (pass == 0 && S_ISDIR(found.mode))
				inside_loosen(dir, name);
			else if (pass == 1)
				unlinkat(dir, name, S_ISDIR(found.mode) ? AT_REMOVEDIR : 0);
		}
	if (unlinkat(undoing->area, number, AT_REMOVEDIR) == 0 || errno == ENOENT)
		return 0;
	return give_back(undoing, number);
}

/* What was put from elsewhere goes back to where it waits for its old name. */
static int undo_move(struct undoing *undoing)
{
	struct stamp found, waiting;
	const struct step *taken = &undoing->steps->items[undoing->step->from];
	if (!look_at_place(undoing, &found) || found.inode != taken->old.inode ||
	    (found.mode & S_IFMT) != (taken->old.mode & S_IFMT))
		return 0;
	if (name_look(undoing->area, undoing->names.new, &waiting))	/* two names, or another's */
		return waiting.inode == found.inode && !S_ISDIR(found.mode) ?
			       unlinkat(undoing->dir, undoing->name, 0) : 0;
	return name_put(undoing->dir, undoing->name, undoing->area, undoing->names.new);
}

static int undo_put(struct undoing *undoing)
{
	struct stamp found, aside;
	const struct step *step = undoing->step;
	if (step->moved)
		return undo_move(undoing);
	if (!look_at_place(undoing, &found) || !step_is(&step->new, &found))
		return 0;
	if (name_look(undoing->area, undoing->names.new, &aside))	/* a second name, or not ours */
		return aside.inode == found.inode && !S_ISDIR(found.mode) ?
			       unlinkat(undoing->dir, undoing->name, 0) : 0;
	if (S_ISDIR(found.mode))
		inside_loosen(undoing->dir, undoing->name);
	if (name_put(undoing->dir, undoing->name, undoing->area, undoing->names.new) < 0)
		return errno == ENOENT ? 0 : -1;
	if (S_ISDIR(found.mode))
		return empty_directory(undoing);
	if (name_look(undoing->area, undoing->names.new, &aside) && step_is(&step->new, &aside))
		return 0;
	return give_back(undoing, undoing->names.new);
}

/* Exchanges until what comes out is what went in: in between somebody may save once more. */
static int exchange_back(struct undoing *undoing)
{
	struct stamp aside;
	for (int tries = 0; tries < MOST_EXCHANGES; tries++) {
		if (name_exchange(undoing->area, undoing->names.new, undoing->dir, undoing->name) < 0)
			return errno == ENOENT ? give_back(undoing, undoing->names.new) : -1;
		if (name_look(undoing->area, undoing->names.new, &aside) &&
		    step_is(&undoing->step->new, &aside))
			return 0;
	}
	return give_back(undoing, undoing->names.new);
}

/* Where it was done in two steps. */
static int undo_swap_in_two(struct undoing *undoing)
{
	struct stamp found;
	if (look_at_place(undoing, &found) && step_is(&undoing->step->new, &found) && undo_put(undoing) < 0)
		return -1;
	return give_back(undoing, undoing->names.old);
}

static int undo_swap(struct undoing *undoing)
{
	struct stamp aside, found;
	const struct step *step = undoing->step;
	if (name_look(undoing->area, undoing->names.old, &aside))
		return undo_swap_in_two(undoing);
	if (!name_look(undoing->area, undoing->names.new, &aside) || step_is(&step->new, &aside))
		return 0;
	if (look_at_place(undoing, &found) && step_is(&step->new, &found))
		return exchange_back(undoing);
	return give_back(undoing, undoing->names.new);
}

static int undo_set(struct undoing *undoing)
{
	struct stamp now;
	const struct step *step = undoing->step;
	if (undoing->dir < 0)
		return 0;
	auto_close int it = openat(undoing->dir, undoing->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (it < 0 || stamp_read(it, "", &now) < 0 || now.inode != step->old.inode)
		return 0;
	auto_close int kept = openat(undoing->area, undoing->names.new,
				     O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (kept < 0)
		return 0;	/* not even begun */
	auto_close int to = openat(undoing->dir, undoing->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (to >= 0 && carry_user_attributes(kept, to) < 0)
		return -1;
	bool ours = ((now.mode ^ step->new.mode) & 07777) == 0;
	return ours ? inside_set_mode(it, step->old.mode & 07777) : 0;
}

int undo_step(struct steps *steps, struct step *step)
{
	struct undoing undoing = { .steps = steps, .step = step, .area = steps->areas[step->area].fd };
	if (undoing.area < 0 || step->kind == STEP_INNER)
		return 0;
	undoing.names = step_names(steps, step);
	auto_close int dir = step_reach(steps, step->part, step->path, &undoing.name);
	undoing.dir = dir;
	if (dir < 0 && errno != ENOENT && errno != ENOTDIR && errno != ELOOP)
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
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, stamp_time(touched->old.mtime) };
	auto_close int fd = inside_open(steps->parts[touched->part].place_fd, touched->before, O_RDONLY,
					INSIDE_ANY_MOUNT);
	if (fd < 0 || stamp_read(fd, "", &now) < 0 || now.inode != touched->old.inode)
		return 0;
	if (now.mtime != touched->old.mtime && futimens(fd, times) < 0)
		return errno == EPERM || errno == EACCES ? 0 : -1;
	bool loosened = (now.mode & 07777) == ((touched->old.mode & 07777) | S_IRWXU);
	return loosened && now.mode != touched->old.mode ? fchmod(fd, touched->old.mode & 07777) : 0;
}

static int fail(const struct steps *steps, const char *path, struct pinfold_error *err)
{
	return faultf(err, PINFOLD_E_TREE, errno, "take back an apply that was cut off",
		      "what was taken out lies in " AREA_PREFIX "* in the tree; check its file system, and "
		      "call any verb of pinfold there again",
		      "%s/%s", steps->parts[0].path, path);
}

int undo_all(struct steps *steps, struct pinfold_error *err)
{
	if (areas_open(steps) < 0)
		return fail(steps, "", err);
	for (size_t i = steps->count; i > 0; i--)
		if (undo_step(steps, &steps->items[i - 1]) < 0)
			return fail(steps, steps->items[i - 1].path, err);
	if (areas_remove(steps) < 0)
		return fail(steps, "", err);
	for (size_t i = steps->touched_count; i > 0; i--)
		if (restore_directory(steps, &steps->touched[i - 1]) < 0)
			return fail(steps, steps->touched[i - 1].before, err);
	return 0;
}

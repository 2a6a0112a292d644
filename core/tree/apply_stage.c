/* tree/apply_stage.c - everything that comes into the tree, written aside. */
#include "config.h"

#include "tree/apply_steps.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "tree/access.h"
#include "tree/inside.h"
#include "tree/pry.h"
#include "tree/remedy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>

/* Up to so many files are written through one by one; more of them all at once. */
enum { SYNC_EACH = 32 };

struct staging {
	struct steps *steps;
	struct step *step;
	int dir;		/* where it is made, and its name there */
	const char *name;
	bool each;
	struct pinfold_error *err;
};

static const char *stage_remedy(struct remedy *remedy, int failure)
{
	return remedy_write(remedy, "nothing was changed in the tree; ", failure, "check its file system",
			    ", and apply again");
}

static int fail(struct staging *staging, const char *action)
{
	const struct step *step = staging->step;
	const char *place = staging->steps->parts[step->part].path;
	struct remedy remedy;
	return faultf(staging->err, PINFOLD_E_TREE, errno, action, stage_remedy(&remedy, errno), "%s/%s", place,
		      step->path);
}

static bool is_layer_of_root(const struct staging *staging)
{
	return staging->steps->parts[staging->step->part].layer && geteuid() == 0;
}

/* What a file keeps of the one that it takes the place of: group, and list of who else may use it. */
static int keep_access(struct staging *staging, int to, uint32_t *mode)
{
	const char *name;
	struct stat found;
	auto_close int dir = step_reach(staging->steps, staging->step->part,
					change_old_path(staging->step->change), &name);
	auto_close int old = dir < 0 ? -1 : openat(dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (old < 0 || fstat(old, &found) < 0)
		return errno == ENOENT ? 0 : -1;
	if (found.st_uid != geteuid() && fchown(to, found.st_uid, (gid_t)-1) < 0)
		return -1;
	if (fchown(to, (uid_t)-1, found.st_gid) < 0)	/* another group may not get its rights */
		*mode = (*mode & ~(uint32_t)S_IRWXG) | (*mode & S_IRWXO) << 3;
	return S_ISREG(found.st_mode) ? access_keep(old, to) : 0;
}

/* What comes anew gets the group of a directory that gives it on, and the list. */
static int inherit(struct staging *staging, int to, uint32_t *mode)
{
	const struct step *step = staging->step;
	struct stat found;
	if (step->kind == STEP_INNER)
		step = &staging->steps->items[step->from];
	auto_close int dir = step_reach(staging->steps, step->part, step->path, NULL);
	if (dir < 0 || fstat(dir, &found) < 0)
		return 0;	/* it comes as well, and what is above it is as it will be */
	if (found.st_mode & S_ISGID && fchown(to, (uid_t)-1, found.st_gid) == 0 && S_ISDIR(*mode))
		*mode |= S_ISGID;
	return access_inherit(dir, to, mode);
}

static int put_right(struct staging *staging, int from, int to, const struct stat *source)
{
	struct step *step = staging->step;
	uint32_t mode = step->new.mode & (S_IFMT | 0777);
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT },
				     stamp_time(step->change->after.stamp.mtime) };
	int result = step->kind == STEP_SWAP ? keep_access(staging, to, &mode) :
					       inherit(staging, to, &mode);
	if (result == 0 && is_layer_of_root(staging))
		result = fchown(to, source->st_uid, source->st_gid);
	if (result < 0 || carry_attributes(from, to, true) < 0)
		return -1;
	/* What a list left of the mode the copy has too, or the next apply would widen it. A file with further
	 * names may have one outside. */
	bool ours = S_ISDIR(source->st_mode) || source->st_nlink == 1;
	if ((mode ^ step->new.mode) & 0777 && ours && !staging->steps->parts[step->part].layer)
		fchmod(from, mode & 0777);
	/* A directory is closed again when all is in its place. */
	step->new.mode = mode;
	if (S_ISDIR(mode))
		return 0;
	return fchmod(to, mode & 07777) < 0 ? -1 : futimens(to, times);
}

static bool is_as_seen(int fd, const struct change *change)
{
	struct stamp now;
	/* Its ctime may be another: what cannot be read is opened up for it. */
	return stamp_read(fd, "", &now) == 0 && S_ISREG(now.mode) && now.inode == change->after.stamp.inode &&
	       now.size == change->after.stamp.size && now.mtime == change->after.stamp.mtime;
}

static int fill_file(struct staging *staging, int from, int to)
{
	const struct change *change = staging->step->change;
	struct stat source;
	struct carry *carry = steps_carry(staging->steps);
	if (!carry)
		return fault_no_memory(staging->err);
	if (!is_as_seen(from, change))
		return 1;
	enum carry_result result = CARRY_DONE;
	uint64_t digest;
	if (change->after.stamp.size > 0 && !carry_clone(from, to))
		result = carry_bytes(carry, from, to, &change->after.stamp, NULL, &digest);
	if (result == CARRY_SOURCE_FAILED)
		return fail(staging, "read what is to be applied");
	if (result == CARRY_COPY_FAILED)
		return fail(staging, "write a file aside");
	if (result == CARRY_CHANGED || !is_as_seen(from, change) || fstat(from, &source) < 0)
		return 1;
	if (put_right(staging, from, to, &source) < 0 || (staging->each && fsync(to) < 0))
		return fail(staging, "write a file aside");
	return 0;
}

static int make_file(struct staging *staging)
{
	const struct step *step = staging->step;
	auto_close int from = change_open_after(staging->steps->parts[step->part].held_fd, step->change);
	if (from < 0)
		return errno == ENOENT || errno == ELOOP || errno == ESTALE ?
			       1 : fail(staging, "read what is to be applied");
	auto_close int to = openat(staging->dir, staging->name,
				   O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (to < 0)
		return fail(staging, "write a file aside");
	return fill_file(staging, from, to);
}

/* A link of the command's to the copy itself is one to the tree. */
static char *target_for_tree(const struct apply_part *part, const char *target)
{
	auto_free char *held = NULL;
	struct text text = { 0 };
	bool inside = target[0] == '/' && path_of_fd(part->held_fd, &held) == 0 &&
		      path_is_within(target, held);
	text_add(&text, inside ? part->path : "");
	text_add(&text, inside ? target + strlen(held) : target);
	return text_take(&text);
}

static int open_held_directory(const struct staging *staging, const char **ret_name)
{
	const char *path = staging->step->path, *slash = strrchr(path, '/');
	*ret_name = slash ? slash + 1 : path;
	auto_free char *directory = strndup(path, slash ? (size_t)(slash - path) : 0);
	if (!directory)
		return -1;
	return inside_open(staging->steps->parts[staging->step->part].held_fd, directory, O_PATH,
			   INSIDE_ONE_MOUNT);
}

static int make_link(struct staging *staging)
{
	struct step *step = staging->step;
	const char *name;
	char target[PATH_MAX + 1];
	struct stat source;
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT },
				     stamp_time(step->change->after.stamp.mtime) };
	auto_close int dir = open_held_directory(staging, &name);
	ssize_t bytes = dir < 0 ? -1 : readlinkat(dir, name, target, sizeof(target) - 1);
	if (bytes < 0 || fstatat(dir, name, &source, AT_SYMLINK_NOFOLLOW) < 0)
		return 1;
	target[bytes] = '\0';
	auto_free char *wanted = target_for_tree(&staging->steps->parts[step->part], target);
	if (!wanted)
		return fault_no_memory(staging->err);
	if (symlinkat(wanted, staging->dir, staging->name) < 0 ||
	    utimensat(staging->dir, staging->name, times, AT_SYMLINK_NOFOLLOW) < 0)
		return fail(staging, "make a link aside");
	if (is_layer_of_root(staging) &&
	    fchownat(staging->dir, staging->name, source.st_uid, source.st_gid, AT_SYMLINK_NOFOLLOW) < 0)
		return fail(staging, "make a link aside");
	return 0;
}

static int make_directory(struct staging *staging)
{
	const struct step *step = staging->step;
	struct stat source;
	auto_close int from = pry_path(staging->steps->parts[step->part].held_fd, step->path);
	if (from < 0 || fstat(from, &source) < 0 || !S_ISDIR(source.st_mode))
		return from < 0 && errno == EACCES ? fail(staging, "read what is to be applied") : 1;
	if (mkdirat(staging->dir, staging->name, S_IRWXU) < 0)
		return fail(staging, "make a directory aside");
	auto_close int to = openat(staging->dir, staging->name,
				   O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (to < 0 || put_right(staging, from, to, &source) < 0)
		return fail(staging, "make a directory aside");
	return 0;
}

/* What a file or directory that stays has now, for the case that it is to have it again. */
static int keep_attributes(struct staging *staging)
{
	const char *name;
	struct step *step = staging->step;
	/* Nothing has been moved yet. */
	auto_close int dir = step_reach(staging->steps, step->part, change_old_path(step->change), &name);
	auto_close int from = dir < 0 ? -1 : openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (from < 0 && errno != EACCES)
		return 1;
	auto_close int to = openat(staging->dir, staging->name,
				   O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (to < 0 || (from >= 0 && carry_attributes(from, to, true) < 0))
		return fail(staging, "keep attributes aside");
	return 0;
}

static int make(struct staging *staging)
{
	if (staging->step->kind == STEP_SET)
		return keep_attributes(staging);
	switch (staging->step->change->after.kind) {
	case INDEX_FOLDER:
		return make_directory(staging);
	case INDEX_LINK:
		return make_link(staging);
	default:
		return make_file(staging);
	}
}

/* Where a step's new object is made: by number in its area, or in the directory that it comes with. */
static int reach(struct staging *staging, struct step_names *names, int *ret_held)
{
	const struct steps *steps = staging->steps;
	const struct step *step = staging->step;
	*names = step_names(steps, step);
	staging->dir = steps->areas[step->area].fd;
	staging->name = names->new;
	if (step->kind != STEP_INNER)
		return 0;
	const struct step *root = &steps->items[step->from];
	const char *rest = step->path + strlen(root->path), *slash = strrchr(step->path, '/');
	struct text path = { 0 };
	text_addf(&path, "%u", step->from);
	text_add_bytes(&path, rest, (size_t)(slash - rest));
	auto_free char *directory = text_take(&path);
	staging->name = slash + 1;
	staging->dir = *ret_held = !directory ? -1 :
		inside_open(steps->areas[step->area].fd, directory, O_PATH, INSIDE_ONE_MOUNT);
	return staging->dir < 0 ? -1 : 0;
}

/* Files with several names: which step made the first. */
struct first_names {
	uint32_t *steps;	/* number + 1, by identity */
	size_t room;
};

static uint32_t *first_name(const struct first_names *names, const struct steps *steps,
			    const struct step *step)
{
	uint64_t identity = step->change->after.identity;
	size_t at = (size_t)(identity * 0x9e3779b97f4a7c15u >> 20) & (names->room - 1);
	while (names->steps[at]) {
		const struct step *known = &steps->items[names->steps[at] - 1];
		if (known->part == step->part && known->change->after.identity == identity)
			break;
		at = (at + 1) & (names->room - 1);
	}
	return &names->steps[at];
}

static bool can_do_without(int failure)
{
	return is_absence(failure) || failure == EXDEV || failure == EMLINK || failure == EPERM ||
	       failure == ENOTSUP;
}

/* Gives what lies at a path a further name, where it is the content that is wanted. 1 when done, 0 where it
 * is to be written instead; -1. */
static int join(struct staging *staging, int dir, const char *name)
{
	const struct stamp *wanted = &staging->step->change->after.stamp;
	struct stamp made;
	if (dir < 0 || linkat(dir, name, staging->dir, staging->name, 0) < 0)
		return can_do_without(errno) ? 0 : fail(staging, "give a file a further name");
	if (stamp_read(staging->dir, staging->name, &made) < 0)
		return fail(staging, "look at what was written aside");
	if (S_ISREG(made.mode) && made.size == wanted->size && made.mtime == wanted->mtime)
		return 1;
	return unlinkat(staging->dir, staging->name, 0) < 0 ? fail(staging, "write a file aside") : 0;
}

/* As join. */
static int join_first(struct staging *staging, const struct first_names *names)
{
	struct step *step = staging->step;
	const char *name;
	if (step->kind == STEP_SET || step->change->after.kind != INDEX_FILE ||
	    (!step->change->linked && step->change->after.stamp.links < 2))
		return 0;
	uint32_t *first = first_name(names, staging->steps, step);
	if (*first) {
		struct step_names room;
		struct staging other = { .steps = staging->steps, .step = &staging->steps->items[*first - 1] };
		auto_close int held = -1;
		if (reach(&other, &room, &held) < 0)
			return fail(staging, "give a file a further name");
		return join(staging, other.dir, other.name);
	}
	*first = (uint32_t)(step - staging->steps->items) + 1;
	if (!step->change->linked)
		return 0;
	auto_close int dir = step_reach(staging->steps, step->part, step->change->linked, &name);
	return join(staging, dir, name);
}

static int stage(struct staging *staging, const struct first_names *names)
{
	struct step_names room;
	auto_close int held = -1;
	if (reach(staging, &room, &held) < 0)
		return fail(staging, "write a file aside");
	int joined = join_first(staging, names);
	int result = joined < 0 ? -1 : joined ? 0 : make(staging);
	if (result != 0 || staging->step->kind == STEP_SET)
		return result;
	uint32_t mode = staging->step->new.mode;
	if (stamp_read(staging->dir, staging->name, &staging->step->new) < 0)
		return fail(staging, "look at what was written aside");
	if (S_ISDIR(mode)) {	/* as it will be */
		staging->step->new.mode = mode;
		staging->step->new.mtime = staging->step->change->after.stamp.mtime;
	}
	return 0;
}

static bool makes_something(const struct step *step)
{
	return step->kind != STEP_TAKE && !(step->kind == STEP_PUT && step->moved);
}

static int sync_directory(struct steps *steps, struct step *step)
{
	struct staging staging = { .steps = steps, .step = step };
	struct step_names names;
	auto_close int held = -1;
	if (reach(&staging, &names, &held) < 0)
		return -1;
	auto_close int fd = openat(staging.dir, staging.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -1 : fsync(fd);
}

static int sync_areas(struct steps *steps, bool each)
{
	for (size_t i = 0; each && i < steps->count; i++)
		if (makes_something(&steps->items[i]) && S_ISDIR(steps->items[i].new.mode) &&
		    steps->items[i].kind != STEP_SET && sync_directory(steps, &steps->items[i]) < 0)
			return -1;
	for (size_t i = 0; i < steps->area_count; i++)
		if ((each ? fsync(steps->areas[i].fd) : syncfs(steps->areas[i].fd)) < 0)
			return -1;
	return 0;
}

int stage_all(struct steps *steps, struct pinfold_error *err)
{
	struct staging staging = { .steps = steps, .err = err };
	struct first_names names = { .room = 64 };
	size_t count = 0;
	for (size_t i = 0; i < steps->count; i++)
		count += makes_something(&steps->items[i]);
	while (names.room < 2 * steps->count)
		names.room *= 2;
	names.steps = calloc(names.room, sizeof(*names.steps));
	if (!names.steps)
		return fault_no_memory(err);
	staging.each = count <= SYNC_EACH;
	int result = 0;
	for (size_t i = 0; i < steps->count && result == 0; i++) {
		staging.step = &steps->items[i];
		if (makes_something(staging.step))
			result = stage(&staging, &names);
	}
	free(names.steps);
	struct remedy remedy;
	if (result == 0 && sync_areas(steps, staging.each) < 0)
		result = fault(err, PINFOLD_E_TREE, errno, "write the changes aside", steps->parts[0].path,
			       stage_remedy(&remedy, errno));
	return result;
}

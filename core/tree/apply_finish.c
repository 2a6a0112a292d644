/* tree/apply_finish.c - what is to be done once an apply is valid: what went is given up. */
#include "config.h"

#include "tree/apply_steps.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "tree/inside.h"
#include "tree/layer.h"

#include <errno.h>
#include <fcntl.h>

/* Somebody had it open and wrote it after it was taken out: what they wrote counts. */
static int give_back(struct steps *steps, struct step *step, int area, const char *name)
{
	step->reverted = true;
	const char *wanted;
	struct stamp found;
	auto_close int dir = step_reach(steps, step->part, step->path, &wanted);
	if (dir >= 0 && step->kind == STEP_SWAP && name_look(dir, wanted, &found) &&
	    step_is(&step->new, &found)) {
		if (name_exchange(area, name, dir, wanted) == 0)
			return name_look(area, name, &found) && step_is(&step->new, &found) ?
				       0 : name_rescue(steps, step, area, name);
	} else if (dir >= 0 && name_put(area, name, dir, wanted) == 0) {
		return 0;
	}
	return name_rescue(steps, step, area, name);
}

static int give_up(struct steps *steps, struct step *step, int area, const char *name)
{
	struct stamp found;
	if (!name_look(area, name, &found) || (step->kind == STEP_SWAP && step_is(&step->new, &found)))
		return 0;
	if (S_ISDIR(found.mode) && step_is(&step->old, &found) && unlinkat(area, name, AT_REMOVEDIR) == 0)
		return 0;
	if (!S_ISDIR(found.mode) && step_is(&step->old, &found))
		return unlinkat(area, name, 0);
	return give_back(steps, step, area, name);
}

static int finish_step(struct steps *steps, struct step *step)
{
	int area = steps->areas[step->area].fd;
	if (area < 0 || (step->kind != STEP_SWAP && (step->kind != STEP_TAKE || step->moved)))
		return 0;
	struct step_names names = step_names(steps, step);
	if (step->kind == STEP_SWAP && give_up(steps, step, area, names.new) < 0)
		return -1;
	return give_up(steps, step, area, names.old);
}

/* What is below a layer now has it: left in the layer it would hide what becomes of it. */
static int drop_from_layer(const struct steps *steps, const struct step *step)
{
	int held = steps->parts[step->part].held_fd;
	const char *slash = strrchr(step->path, '/'), *name = slash ? slash + 1 : step->path;
	auto_free char *directory = strndup(step->path, slash ? (size_t)(slash - step->path) : 0);
	if (!directory || !*name)
		return directory ? 0 : -1;
	auto_close int dir = inside_open(held, directory, O_PATH, INSIDE_ONE_MOUNT);
	struct stamp found;
	if (dir < 0 || step->reverted)
		return 0;
	if (!name_look(dir, name, &found))
		return 0;
	bool whiteout = layer_is_whiteout(dir, name, &found);
	if (whiteout != (step->kind == STEP_TAKE))
		return 0;
	if (unlinkat(dir, name, S_ISDIR(found.mode) ? AT_REMOVEDIR : 0) == 0 || errno == ENOENT)
		return 0;
	return S_ISDIR(found.mode) ? 0 : -1;	/* something in it is still to be reviewed */
}

static int drop_from_layers(const struct steps *steps)
{
	for (size_t i = steps->count; i > 0; i--) {
		const struct step *step = &steps->items[i - 1];
		if (steps->parts[step->part].layer && drop_from_layer(steps, step) < 0)
			return -1;
	}
	return 0;
}

static int settle_directory(const struct steps *steps, const struct touched *touched)
{
	struct stamp now;
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, stamp_time(touched->mtime) };
	auto_close int fd = inside_open(steps->parts[touched->part].place_fd, touched->after, O_RDONLY,
					INSIDE_ANY_MOUNT);
	if (fd < 0 || stamp_read(fd, "", &now) < 0 || now.inode != touched->old.inode)
		return 0;
	if (touched->mtime != INT64_MIN && futimens(fd, times) < 0 && errno != EPERM)
		return -1;
	uint32_t loosened = (touched->old.mode & 07777) | S_IRWXU;
	if ((now.mode & 07777) != loosened || (touched->old.mode & 07777) == loosened)
		return 0;
	for (size_t i = 0; i < steps->count; i++)	/* it was to be so */
		if (steps->items[i].kind == STEP_SET && steps->items[i].part == touched->part &&
		    streq(steps->items[i].path, touched->after))
			return 0;
	return fchmod(fd, touched->old.mode & 07777);
}

static int fail(const struct steps *steps, const char *path, struct pinfold_error *err)
{
	return faultf(err, PINFOLD_E_TREE, errno, "tidy up after an apply",
		      "the changes are in the tree; call any verb of pinfold there again to remove "
		      AREA_PREFIX "*",
		      "%s/%s", steps->parts[0].path, path);
}

int finish_all(struct steps *steps, struct pinfold_error *err)
{
	if (areas_open(steps) < 0)
		return fail(steps, "", err);
	/* Directories that were taken hold nothing; what was in them comes first. */
	for (size_t i = 0; i < steps->count; i++)
		if (finish_step(steps, &steps->items[i]) < 0)
			return fail(steps, steps->items[i].path, err);
	if (drop_from_layers(steps) < 0 || areas_remove(steps) < 0)
		return fail(steps, "", err);
	for (size_t i = steps->touched_count; i > 0; i--)
		if (settle_directory(steps, &steps->touched[i - 1]) < 0)
			return fail(steps, steps->touched[i - 1].after, err);
	return 0;
}

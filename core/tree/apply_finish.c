/* tree/apply_finish.c - what is to be done once an apply is valid: what went is given up. */
#include "config.h"

#include "tree/apply_steps.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "tree/discard.h"
#include "tree/inside.h"
#include "tree/layer.h"
#include "tree/listing.h"
#include "tree/pry.h"
#include "tree/remedy.h"
#include "tree/slot.h"
#include "tree/uncover.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

/* Exchanges it with what took its place, where that is still there. 1; 0: it is not; -1. */
static int exchange_back(struct steps *steps, struct step *step, int area, int dir, const char *wanted)
{
	struct stamp found;
	struct step_names names = step_names(steps, step);
	int there = name_look(dir, wanted, &found);
	if (there <= 0 || !step_is(&step->new, &found))
		return there < 0 ? -1 : 0;
	if (name_exchange(area, names.new, dir, wanted) < 0)
		return is_absence(errno) || errno == ENOTSUP ? 0 : -1;
	there = name_look(area, names.new, &found);
	return there < 0 ? -1 : there && step_is(&step->new, &found);
}

/* Somebody had it open and wrote it after it was taken out: what they wrote counts. */
static int give_back(struct steps *steps, struct step *step, int area, const char *name)
{
	const char *wanted;
	auto_close int dir = step_reach(steps, step->part, step->path, &wanted);
	int back = 0;
	step->reverted = true;
	if (dir < 0 && !is_absence(errno))
		return -1;
	if (dir >= 0 && step->kind == STEP_SWAP)
		back = exchange_back(steps, step, area, dir, wanted);
	else if (dir >= 0)
		back = name_put(area, name, dir, wanted) == 0 ? 1 : errno == EEXIST || errno == ENOTDIR ? 0 : -1;
	return back != 0 ? (back < 0 ? -1 : 0) : name_rescue(steps, step, area, name);
}

static int give_up(struct steps *steps, struct step *step, int area, const char *name)
{
	struct stamp found;
	int there = name_look(area, name, &found);
	if (there <= 0)
		return there;
	if (step->kind == STEP_SWAP && step_is(&step->new, &found)) {	/* given back before this was cut off */
		step->reverted = true;
		return 0;
	}
	if (!step_is(&step->old, &found))
		return give_back(steps, step, area, name);
	if (unlinkat(area, name, S_ISDIR(found.mode) ? AT_REMOVEDIR : 0) == 0)
		return 0;
	return errno == ENOTEMPTY || errno == EEXIST ? give_back(steps, step, area, name) : -1;
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

/* What goes out of the layers. */
struct dropping {
	const struct steps *steps;
	uint32_t part;		/* whose base it is */
	struct index base;
	char *directory;	/* the last that was looked at; NULL: none */
	int stays;
};

static void stop_dropping(struct dropping *dropping)
{
	index_release(&dropping->base);
	free(dropping->directory);
	dropping->directory = NULL;
}

/* Would what is below not be seen if what lies in the directory went from the layer? Then it stays: what is
 * equal below is no change. 1, 0 or -1. */
static int must_stay(struct dropping *dropping, const struct step *step, const char *directory)
{
	const struct apply_part *part = &dropping->steps->parts[step->part];
	if (dropping->directory && dropping->part == step->part && streq(dropping->directory, directory))
		return dropping->stays;
	if (!dropping->directory || dropping->part != step->part) {
		stop_dropping(dropping);
		if (index_load_any(part->slot_fd, SLOT_INDEX, &dropping->base) < 0)
			return -1;
	}
	free(dropping->directory);
	dropping->directory = strdup(directory);
	dropping->part = step->part;
	const struct uncover_order order = { part->place_fd, part->held_fd, &dropping->base };
	return dropping->stays = dropping->directory ? uncover_parents(&order, step->path) : -1;
}

/* Also from a directory whose mode forbids it. */
static int unlink_held(int dir, const char *name, int flags)
{
	struct stamp above;
	if (unlinkat(dir, name, flags) == 0 || errno == ENOENT)
		return 0;
	if (errno != EACCES || stamp_read(dir, "", &above) < 0 || inside_set_mode(dir, 0700) < 0)
		return -1;
	int result = unlinkat(dir, name, flags), failure = errno;
	if (inside_set_mode(dir, above.mode & 07777) < 0)
		return -1;
	errno = failure;
	return result;
}

/* What is below a layer now has it: left in the layer it would hide what becomes of it. */
static int drop_from_layer(struct dropping *dropping, const struct step *step)
{
	int held = dropping->steps->parts[step->part].held_fd;
	const char *slash = strrchr(step->path, '/'), *name = slash ? slash + 1 : step->path;
	auto_free char *directory = strndup(step->path, slash ? (size_t)(slash - step->path) : 0);
	if (!directory || !*name)
		return directory ? 0 : -1;
	int stays = step->reverted ? 1 : must_stay(dropping, step, directory);
	if (stays != 0)
		return stays < 0 ? -1 : 0;
	auto_close int dir = inside_open(held, directory, O_PATH, INSIDE_ONE_MOUNT);
	struct stamp found;
	int there = dir < 0 ? (is_absence(errno) ? 0 : -1) : name_look(dir, name, &found);
	if (there <= 0)
		return there;
	bool whiteout = layer_is_whiteout(dir, name, &found);
	if (whiteout != (step->kind == STEP_TAKE))
		return 0;
	if (unlink_held(dir, name, S_ISDIR(found.mode) ? AT_REMOVEDIR : 0) == 0)
		return 0;
	return S_ISDIR(found.mode) ? 0 : -1;	/* something in it is still to be reviewed */
}

#define AT_THE_END "the changes are in the tree; "
#define ANY_VERB ", and call any verb of pinfold here again"

/* What it no longer touches is no part of its base any more: a later command begins with what is there now. */
static int forget_base(const struct apply_part *part, struct pinfold_error *err)
{
	struct index old = { 0 };
	struct remedy remedy;
	if (index_load_any(part->slot_fd, SLOT_INDEX, &old) < 0)
		return fault(err, PINFOLD_E_TREE, errno, "read what the layer has changed", part->path,
			     remedy_in(&remedy, part->slot_fd, AT_THE_END, errno, "check the scratch directory", ANY_VERB));
	const struct layer_order order = {
		.place = part->path, .place_fd = part->place_fd, .held_fd = part->held_fd,
		.slot_fd = part->slot_fd, .old = &old,
		.began = INT64_MAX,	/* no command runs: what the tree has now is certain */
		.idle = true,
	};
	int result = layer_settle(&order, SLOT_INDEX_NEXT, err);
	if (result == 0 && renameat(part->slot_fd, SLOT_INDEX_NEXT, part->slot_fd, SLOT_INDEX) < 0)
		result = fault(err, PINFOLD_E_TREE, errno, "write down what the layer still changes",
			       part->path, remedy_in(&remedy, part->slot_fd, AT_THE_END, errno,
						     "check the scratch directory", ANY_VERB));
	index_release(&old);
	return result;
}

static int forget_bases(const struct steps *steps, struct pinfold_error *err)
{
	for (size_t i = 0; i < steps->part_count; i++)
		if (steps->parts[i].layer && steps->parts[i].place_fd >= 0 &&
		    forget_base(&steps->parts[i], err) < 0)
			return -1;
	return 0;
}

/* A directory of the layer that is empty now goes too, where that uncovers nothing: what it hides below was
 * removed there. 1: it went; 0; -1. */
static int drop_directory(const struct apply_part *part, const char *path)
{
	const char *slash = strrchr(path, '/');
	struct stamp held, place;
	struct listing listing = { 0 };
	auto_free char *above = strndup(path, slash ? (size_t)(slash - path) : 0);
	auto_close int dir = above ? inside_open(part->held_fd, above, O_PATH, INSIDE_ONE_MOUNT) : -1;
	auto_close int below = inside_open(part->place_fd, path, O_RDONLY, INSIDE_ANY_MOUNT);
	const char *name = slash ? slash + 1 : path;
	if (dir < 0 || below < 0 || name_look(dir, name, &held) <= 0 || stamp_read(below, "", &place) < 0 ||
	    !S_ISDIR(held.mode) || (held.mode ^ place.mode) & 07777)
		return 0;
	bool uncovers = layer_is_opaque(dir, name) &&
			(listing_read(&listing, below) < 0 || listing.count > 0);
	listing_release(&listing);
	return !uncovers && unlinkat(dir, name, AT_REMOVEDIR) == 0;
}

static void drop_directories(const struct steps *steps)
{
	for (size_t i = steps->touched_count; i > 0; i--) {
		const struct touched *touched = &steps->touched[i - 1];
		if (!steps->parts[touched->part].layer)
			continue;
		auto_free char *path = strdup(touched->after);
		while (path && *path && drop_directory(&steps->parts[touched->part], path)) {
			char *slash = strrchr(path, '/');
			*(slash ? slash : path) = '\0';
		}
	}
}

/* Nothing is left in it that the tree has not. */
static int empty_layer(const struct apply_part *part)
{
	struct trash trash = { .root = part->slot_fd };
	struct listing listing = { 0 };
	auto_close int fd = inside_open(part->held_fd, "", O_RDONLY, INSIDE_ONE_MOUNT);
	int result = fd < 0 ? -1 : listing_read(&listing, fd);
	for (size_t i = 0; i < listing.count && result == 0; i++)
		result = discard_entry(&trash, fd, listing.items[i].name);
	listing_release(&listing);
	if (trash.used)
		discard_empty(&trash);
	unlinkat(part->slot_fd, "gone", AT_REMOVEDIR);
	return result;
}

static bool has_reverted(const struct steps *steps, size_t part)
{
	for (size_t i = 0; i < steps->count; i++)
		if (steps->items[i].part == part && steps->items[i].reverted)
			return true;
	return false;
}

/* Also where the command took its owner's rights to the way. */
static int drop_prying(struct dropping *dropping, const struct step *step)
{
	struct pried pried = { 0 };
	int held = dropping->steps->parts[step->part].held_fd;
	if (drop_from_layer(dropping, step) == 0)
		return 0;
	if (errno != EACCES)
		return -1;
	stop_dropping(dropping);	/* what it knows is that nothing could be seen */
	struct arena *arena = arena_new();
	int result = !arena || pry_way(&pried, arena, held, step->path) < 0 ? -1 : drop_from_layer(dropping, step);
	int failure = errno;
	pry_close_again(&pried, held);
	arena_free(arena);
	errno = failure;
	return result;
}

static int drop_each(const struct steps *steps)
{
	struct dropping dropping = { .steps = steps };
	int result = 0;
	for (size_t i = steps->count; i > 0 && result == 0; i--) {
		const struct step *step = &steps->items[i - 1];
		if (steps->parts[step->part].layer)
			result = drop_prying(&dropping, step);
	}
	stop_dropping(&dropping);
	return result;
}

static int drop_from_layers(const struct steps *steps)
{
	if (drop_each(steps) < 0)
		return -1;
	drop_directories(steps);
	for (size_t i = 0; i < steps->part_count; i++)
		if (steps->parts[i].layer && steps->whole && steps->whole[i] && !has_reverted(steps, i) &&
		    empty_layer(&steps->parts[i]) < 0)
			return -1;
	return 0;
}

static int settle_directory(const struct steps *steps, const struct touched *touched)
{
	struct stamp now;
	auto_close int fd = touched_open(steps, touched, touched->after, &now);
	if (fd < 0)
		return errno == ESTALE ? 0 : -1;
	if (touched->mtime != INT64_MIN && set_mtime(fd, touched->mtime) < 0 && errno != EPERM)
		return -1;
	uint32_t loosened = (touched->old.mode & 07777) | S_IRWXU;
	if ((now.mode & 07777) != loosened || (touched->old.mode & 07777) == loosened)
		return 0;
	for (size_t i = 0; i < steps->count; i++)	/* it was to be so */
		if (steps->items[i].kind == STEP_SET && steps->items[i].part == touched->part &&
		    streq(steps->items[i].path, touched->after))
			return 0;
	return inside_set_mode(fd, touched->old.mode & 07777);
}

static int fail(const struct steps *steps, const char *path, struct pinfold_error *err)
{
	struct remedy remedy;
	return faultf(err, PINFOLD_E_TREE, errno, "tidy up after an apply",
		      remedy_write(&remedy, AT_THE_END, errno, "check its file system",
				   ", and call any verb of pinfold there again to remove " AREA_PREFIX "*"),
		      "%s/%s", steps->parts[0].path, path);
}

static int fail_in_layers(const struct steps *steps, struct pinfold_error *err)
{
	struct remedy remedy;
	const struct apply_part *first = &steps->parts[0];
	return fault(err, PINFOLD_E_TREE, errno, "take what was applied out of the layers", first->path,
		     remedy_in(&remedy, first->slot_fd, AT_THE_END, errno, "check the scratch directory", ANY_VERB));
}

int finish_all(struct steps *steps, struct pinfold_error *err)
{
	if (areas_open(steps) < 0)
		return fail(steps, "", err);
	/* Directories that were taken hold nothing; what was in them comes first. */
	for (size_t i = 0; i < steps->count; i++)
		if (finish_step(steps, &steps->items[i]) < 0)
			return fail(steps, steps->items[i].path, err);
	if (drop_from_layers(steps) < 0)
		return fail_in_layers(steps, err);
	if (forget_bases(steps, err) < 0)
		return -1;
	if (areas_remove(steps) < 0)
		return fail(steps, "", err);
	for (size_t i = steps->touched_count; i > 0; i--)
		if (areas_vouch(steps, steps->touched[i - 1].part) &&
		    settle_directory(steps, &steps->touched[i - 1]) < 0)
			return fail(steps, steps->touched[i - 1].after, err);
	return 0;
}

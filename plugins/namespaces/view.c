/* plugins/namespaces/view.c - in the child's init, with every capability in the new namespaces: lays
 * what the layout says over a root that it makes read-only, in place. */
#include "config.h"

#include "calls.h"
#include "layout.h"
#include "view.h"

#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

static const char *const devices[DEVICE_COUNT] = { "null", "zero", "full", "random", "urandom", "tty" };

enum { MOST_COVER_TRIES = 16, SPARE_DESCRIPTORS = 64 };

static long take_device(const struct pinfold_host *host, const char *name)
{
	char path[16] = "/dev/";
	for (size_t i = 0; i <= strlen(name); i++)
		path[5 + i] = name[i];
	return call_clone(host, AT_FDCWD, path);
}

/* Lays a tree and gives its descriptor up. */
static long lay_and_close(const struct pinfold_host *host, long tree, int base, const char *path)
{
	if (tree < 0)
		return tree;
	long result = call_lay(host, (int)tree, base, path);
	call_close(host, tree);
	return result;
}

/* Device nodes are read-only too, so that a command of root's cannot change their modes. */
static long lay_devices(struct view *view, const struct place *place)
{
	const struct pinfold_host *host = view->host;
	const struct ahead *ahead = &view->state->ahead;
	long tree = call_clone(host, view->skeleton, place->skeleton);
	if (tree < 0)
		return tree;
	long result = call_lay(host, (int)tree, AT_FDCWD, place->path);
	for (size_t i = 0; result == 0 && i < DEVICE_COUNT; i++)
		if (view->devices[i] >= 0)
			result = lay_and_close(host, view->devices[i], (int)tree, devices[i]);
	if (result == 0)
		result = call_restrict(host, (int)tree, "", AT_RECURSIVE,
				       MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
	if (result == 0)
		result = lay_and_close(host, ahead->done ? ahead->terminals : system_terminals(host),
				       (int)tree, "pts");
	call_close(host, tree);
	return result;
}

static long lay_processes(const struct view *view, const struct place *place)
{
	long processes = view->processes >= 0 ? view->processes :
						system_processes(view->host, place->read_only);
	return lay_and_close(view->host, processes, AT_FDCWD, place->path);
}

static const char *cover_for(const struct place *place, bool directory)
{
	if (!directory)
		return "nothing";
	return place->skeleton ? place->skeleton : "none";
}

static const char *cover_of(const struct place *place, const struct statx *status)
{
	if (place->kind == PLACE_SOCKET)
		return S_ISSOCK(status->stx_mode) ? "closed" : NULL;
	return cover_for(place, S_ISDIR(status->stx_mode));
}

static long lay_cover(const struct view *view, const char *cover, int target)
{
	return lay_and_close(view->host, call_clone(view->host, view->skeleton, cover), target, "");
}

/* A hidden path that has become a link is a failure: what it leads to cannot be known to be hidden. */
static long cover_once(const struct view *view, const struct place *place)
{
	struct statx status;
	long target = call_open(view->host, AT_FDCWD, place->path, O_PATH);
	if (target < 0)
		return view_is_absent(target) || (target == -ELOOP && place->kind == PLACE_SOCKET) ? 0 : target;
	/* What it was when it was found tells what fits, unless something else is there now. */
	long result = -EINVAL;
	if (place->kind == PLACE_HIDE)
		result = lay_cover(view, cover_for(place, !place->file), (int)target);
	if (result == -EINVAL) {
		result = call_status(view->host, (int)target, &status);
		const char *cover = result == 0 ? cover_of(place, &status) : NULL;
		if (cover)
			result = lay_cover(view, cover, (int)target);
	}
	call_close(view->host, target);
	return result;
}

/* What is replaced between its being opened and its being covered is looked for again: the new one is
 * to be covered as well. */
static long cover(const struct view *view, const struct place *place)
{
	long result = -ENOENT;
	for (int tries = 0; result == -ENOENT && tries < MOST_COVER_TRIES; tries++)
		result = cover_once(view, place);
	return result;
}

/* A directory of our own has nothing to replace where there is none. */
static long lay_tree(const struct view *view, struct place *place)
{
	long target = call_open(view->host, AT_FDCWD, place->path, O_PATH);
	long result = target;
	if (target >= 0)
		result = call_lay(view->host, place->tree, (int)target, "");
	else if (place->kind == PLACE_BLANK && view_is_absent(target))
		result = 0;
	call_close(view->host, place->tree);
	call_close(view->host, target);
	place->tree = -1;
	return result;
}

static long lay_place(struct view *view, struct place *place)
{
	switch (place->kind) {
	case PLACE_DEVICES:
		return lay_devices(view, place);
	case PLACE_PROC:
		return lay_processes(view, place);
	case PLACE_HIDE:
	case PLACE_SOCKET:
		return cover(view, place);
	case PLACE_PIN:
		return pin_lay(view, place);
	case PLACE_BARE:
		return 0;
	case PLACE_WHOLE:
		return place->path[1] ? lay_tree(view, place) : 0;
	default:
		return lay_tree(view, place);
	}
}

static long take_devices(const struct pinfold_host *host, int ret_devices[DEVICE_COUNT])
{
	for (size_t i = 0; i < DEVICE_COUNT; i++) {
		ret_devices[i] = (int)take_device(host, devices[i]);
		if (ret_devices[i] < 0 && ret_devices[i] != -ENOENT)
			return ret_devices[i];
	}
	return 0;
}

static void drop_ahead(const struct pinfold_host *host, const struct ahead *ahead)
{
	for (size_t i = 0; i < DEVICE_COUNT; i++)
		call_close(host, ahead->devices[i]);
	call_close(host, ahead->skeleton);
	call_close(host, ahead->terminals);
	call_close(host, ahead->processes);
}

long view_ahead(const struct pinfold_host *host, struct state *state)
{
	struct ahead ahead = { .skeleton = -1, .devices = { -1, -1, -1, -1, -1, -1 } };
	size_t count;
	const struct make *rows = skeleton_beginning(&count);
	ahead.terminals = (int)system_terminals(host);
	ahead.processes = state->fresh_proc ? (int)system_processes(host, state->root) : -1;
	ahead.skeleton = (int)system_skeleton(host);
	long result = ahead.skeleton < 0 ? ahead.skeleton : system_fill(host, ahead.skeleton, rows, count);
	if (result == 0)
		result = take_devices(host, ahead.devices);
	ahead.done = result == 0 && ahead.terminals >= 0 && (!state->fresh_proc || ahead.processes >= 0);
	if (ahead.done)
		state->ahead = ahead;
	else
		drop_ahead(host, &ahead);
	return result;
}

/* The skeleton lies below the devices, where the command cannot get at it: a copy of a tree can be
 * made only of what is laid somewhere. Its writable parts are taken; then it becomes read-only as the
 * root does. */
static long lay_skeleton(struct view *view)
{
	const struct layout *layout = &view->state->layout;
	const struct ahead *ahead = &view->state->ahead;
	size_t made = 0;
	if (ahead->done)
		skeleton_beginning(&made);
	long skeleton = ahead->done ? ahead->skeleton : system_skeleton(view->host);
	if (skeleton < 0)
		return skeleton;
	view->skeleton = (int)skeleton;
	long result = call_lay(view->host, view->skeleton, AT_FDCWD, "/dev");
	if (result == 0)
		result = system_fill(view->host, view->skeleton, layout->skeleton.rows + made,
				   layout->skeleton.count - made);
	for (size_t i = 0; result == 0 && i < layout->count; i++) {
		struct place *place = &layout->places[i];
		if (place->kind == PLACE_BLANK) {
			place->tree = (int)call_clone(view->host, view->skeleton, place->skeleton);
			result = place->tree < 0 ? place->tree : 0;
			if (result == 0 && place->no_execution)
				result = call_restrict(view->host, place->tree, "", 0, MOUNT_ATTR_NOEXEC);
		}
	}
	return result;
}

static struct place *find_root(const struct state *state, uint32_t kind)
{
	for (size_t i = 0; i < state->layout.count; i++)
		if (state->layout.places[i].kind == kind && state->layout.places[i].path[1] == '\0')
			return &state->layout.places[i];
	return NULL;
}

/* A tree takes the root's place, for every task in these namespaces; what is laid in the old one goes with it. Files
 * that the command was handed for reading still lie on the old one, and could be opened once more: nothing on it can
 * be written either. */
static long change_root(const struct pinfold_host *host, long tree)
{
	if (tree < 0)
		return tree;
	long result = call_restrict(host, AT_FDCWD, "/", AT_RECURSIVE,
				    MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	if (result == 0)
		result = call_lay(host, (int)tree, AT_FDCWD, "/dev");
	if (result == 0)
		result = call(host, SYS_fchdir, tree);
	if (result == 0)
		result = call(host, SYS_pivot_root, ".", ".");
	if (result == 0)
		result = call(host, SYS_umount2, ".", MNT_DETACH);
	if (result == 0)
		result = call(host, SYS_chdir, "/");
	call_close(host, tree);
	return result;
}

static long change_to_layer(const struct view *view)
{
	struct place *root = find_root(view->state, PLACE_WHOLE);
	long tree = root ? root->tree : -ENOENT;
	if (root)
		root->tree = -1;
	return change_root(view->host, tree);
}

/* The skeleton is laid anew where it was, now in its own directory. */
static long change_to_bare(struct view *view)
{
	const struct pinfold_host *host = view->host;
	const struct place *root = find_root(view->state, PLACE_BARE);
	/* The kernel makes one only where another can be seen, as in the root that is left. */
	if (view->processes < 0 && view->state->fresh_proc)
		view->processes = (int)system_processes(host, view->state->root);
	long skeleton = call_clone(host, view->skeleton, "");
	if (skeleton < 0)
		return skeleton;
	long result = change_root(host, call_clone(host, view->skeleton, root->skeleton));
	if (result == 0)
		result = call_lay(host, (int)skeleton, AT_FDCWD, "/dev");
	call_close(host, view->skeleton);
	view->skeleton = (int)skeleton;
	return result;
}

/* Layers on the disk are taken with all that is, those in memory when there is some: the skeleton. */
static long take_all(struct view *view)
{
	struct state *state = view->state;
	long result = 0;
	if (state->ahead.done) {
		memcpy(view->devices, state->ahead.devices, sizeof(view->devices));
		view->processes = state->ahead.processes;
	} else
		result = fail_at(state, "take a device of /dev", take_devices(view->host, view->devices));
	state->devices = (int)call_open(view->host, AT_FDCWD, "/dev", O_PATH | O_DIRECTORY);
	if (result == 0)
		result = view_take(view, PLACE_SHOW);
	if (result == 0)
		result = view_take(view, PLACE_OVER);
	if (result == 0)
		result = view_take(view, PLACE_WHOLE);
	if (result == 0 && state->machine)
		result = view_take(view, PLACE_LAYER);
	if (result == 0 && state->whole)
		result = fail_at(state, "change the root", change_to_layer(view));
	if (result == 0 && state->layers && !state->memory)
		result = view_take_layers(view);
	if (result == 0)
		result = fail_at(state, "make the file system for devices", lay_skeleton(view));
	if (result == 0)
		result = view_take(view, PLACE_OVER);
	if (result == 0 && state->layers && state->memory)
		result = view_take_layers(view);
	if (result == 0 && state->bare)
		result = fail_at(state, "leave nothing but what is readable", change_to_bare(view));
	call_close(view->host, state->devices);
	return result;
}

/* The root keeps its mounts; nothing in them, nor in the skeleton, can be written. */
static long restrict_root(const struct view *view)
{
	if (view->state->whole)
		return call_restrict(view->host, view->skeleton, "", 0, MOUNT_ATTR_RDONLY);
	uint64_t execution = view->state->bounded ? MOUNT_ATTR_NOEXEC : 0;
	return call_restrict(view->host, AT_FDCWD, "/", AT_RECURSIVE,
			     MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | execution);
}

/* How long what is hidden may be trusted to be covered still: on the host somebody may have replaced it, and
 * with the old one its cover went. */
enum { TRUST_MILLISECONDS = 5 };

static uint64_t now(const struct pinfold_host *host)
{
	struct timespec time = { 0 };
	call(host, SYS_clock_gettime, CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* The host had much left to do when the view was laid. What is covered still gets a second cover. */
static long cover_again(const struct pinfold_host *host, struct state *state)
{
	const struct view view = { .host = host, .state = state, .skeleton = state->skeleton, .shared = -1,
				   .processes = -1 };
	long result = 0;
	bool trusted = now(host) - state->laid_at < TRUST_MILLISECONDS * UINT64_C(1000000);
	for (size_t i = 0; !trusted && result == 0 && i < state->layout.count; i++) {
		const struct place *place = &state->layout.places[i];
		if (place->kind == PLACE_HIDE || place->kind == PLACE_SOCKET)
			result = fail_at(state, place->what, cover(&view, place));
	}
	return result;
}

static long lay_all(struct view *view)
{
	struct state *state = view->state;
	long result = take_all(view);
	if (result == 0)
		result = fail_at(state, "make the root read-only", restrict_root(view));
	for (size_t i = 0; result == 0 && i < state->layout.count; i++) {
		struct place *place = &state->layout.places[i];
		pin_take_all(view, i);
		result = fail_at(state, place->what, lay_place(view, place));
	}
	return result;
}

/* What waits to be laid is a descriptor each, and a policy may name more than programs usually need. The command's
 * task has a limit of its own. */
static void raise_limit(struct view *view, struct rlimit *ret_before)
{
	const struct pinfold_host *host = view->host;
	rlim_t needed = view->state->layout.count + SPARE_DESCRIPTORS;
	struct rlimit own = { 0 };
	*ret_before = own;
	if (call(host, SYS_prlimit64, 0, RLIMIT_NOFILE, 0, &own) < 0)
		return;
	const struct rlimit raised = { own.rlim_max, own.rlim_max };
	if (needed > own.rlim_cur && call(host, SYS_prlimit64, 0, RLIMIT_NOFILE, &raised, 0) == 0) {
		*ret_before = own;
		own = raised;
	}
	view->roomy = needed <= own.rlim_cur;
}

long view_enter(const struct pinfold_host *host, struct state *state)
{
	if (state->laid_at)
		return cover_again(host, state);
	struct view view = { .host = host, .state = state, .skeleton = -1, .shared = -1, .processes = -1 };
	struct rlimit before;
	raise_limit(&view, &before);
	long result = lay_all(&view);
	if (before.rlim_max > 0)
		call(host, SYS_prlimit64, 0, RLIMIT_NOFILE, &before, 0);
	if (result == 0 && state->lays_early) {
		state->skeleton = view.skeleton;
		state->laid_at = now(host);
		return 0;
	}
	call_close(host, view.skeleton);
	return result;
}

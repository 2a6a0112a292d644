/* plugins/namespaces/take.c - in the child's init: takes what the view is to show of the host, before any of
 * it is covered. */
#include "config.h"

#include "calls.h"
#include "view.h"

static long take_shown(const struct view *view, const struct place *place, int from)
{
	long tree = call_clone(view->host, from, "");
	if (tree < 0)
		return tree;
	uint64_t flags = MOUNT_ATTR_NOSUID | (place->device ? 0 : MOUNT_ATTR_NODEV) |
			 (place->read_only ? MOUNT_ATTR_RDONLY : 0) |
			 (place->no_execution ? MOUNT_ATTR_NOEXEC : 0);
	long result = call_restrict(view->host, (int)tree, "", AT_RECURSIVE, flags);
	if (result < 0) {
		call_close(view->host, tree);
		return result;
	}
	return tree;
}

/* A part of the layer over the home. */
static long take_part(const struct view *view, const struct place *place)
{
	long part = call_open(view->host, view->shared, place->inside, O_PATH);
	if (part < 0)
		return part;
	long tree = call_clone(view->host, (int)part, "");
	call_close(view->host, part);
	return tree;
}

/* In a rehearsal it is only shown: a layer is for the run alone. */
static long take_over(const struct view *view, const struct place *place, int from)
{
	if (view->state->rehearsal)
		return call_clone(view->host, from, "");
	return place->kept ? layer_keep(view->host, view->state, place->kept, from) :
			     layer_remember(view->host, from, view->skeleton);
}

/* A file system alone, which the host could take where we cannot: it is laid where it does not matter, and
 * goes with the root that it is laid in. */
static long take_whole(const struct view *view, const struct place *place, int from)
{
	if (place->below < 0)
		return layer_keep(view->host, view->state, place->kept, from);
	long result = call_lay(view->host, place->below, AT_FDCWD, "/dev");
	return result < 0 ? result : layer_keep(view->host, view->state, place->kept, place->below);
}

static long take_kind(const struct view *view, const struct place *place, int from)
{
	if (place->kind == PLACE_SHOW)
		return take_shown(view, place, from);
	if (place->kind == PLACE_OVER)
		return take_over(view, place, from);
	if (place->kind == PLACE_WHOLE)
		return take_whole(view, place, from);
	if (place->inside)
		return take_part(view, place);
	if (place->kept && !view->state->rehearsal)
		return layer_keep(view->host, view->state, place->kept, from);
	return layer_make(view->host, place, view->layers, from);
}

/* What an overlay's own identity is shows only once it is made: the command looks for it later. */
static long note_tree(const struct view *view, const struct place *place)
{
	struct statx status;
	if (place->kind != PLACE_OVER)
		return 0;
	long result = call_status(view->host, place->tree, &status);
	view->state->tree_identity = known_status(&status);
	return result;
}

/* What is shown of the host is taken before the root becomes read-only, and what is below the scratch
 * directory before that is hidden. */
static long take_place(const struct view *view, struct place *place)
{
	long from = known_open(view->host, view->state, place->from, &place->identity);
	if (from < 0)
		return from;
	long tree = take_kind(view, place, (int)from);
	call_close(view->host, from);
	place->tree = (int)tree;
	if (tree >= 0 && place->kind != PLACE_SHOW && (place->read_only || place->no_execution)) {
		uint64_t flags = (place->read_only ? MOUNT_ATTR_RDONLY : 0) |
				 (place->no_execution ? MOUNT_ATTR_NOEXEC : 0);
		long result = call_restrict(view->host, (int)tree, "", AT_RECURSIVE, flags);
		if (result < 0)
			return result;
	}
	return tree < 0 ? tree : note_tree(view, place);
}

/* An overlay in memory waits for some: the skeleton. */
static bool is_due(const struct view *view, const struct place *place, uint32_t kind)
{
	bool waits = place->kind == PLACE_OVER && !place->kept;
	return place->kind == kind && (!waits || view->skeleton >= 0) && place->tree < 0;
}

long view_take(struct view *view, uint32_t kind)
{
	struct layout *layout = &view->state->layout;
	for (size_t i = 0; i < layout->count; i++) {
		struct place *place = &layout->places[i];
		long result = is_due(view, place, kind) ? take_place(view, place) : 0;
		if (result < 0)
			return fail_at(view->state, place->what, result);
	}
	return 0;
}

static long share_home(struct view *view)
{
	const struct state *state = view->state;
	if (!state->shared)
		return 0;
	long home = known_open(view->host, view->state, state->shared, &state->shared_identity);
	if (home < 0)
		return home;
	long layer = layer_share(view->host, state, state->rehearsal ? NULL : state->shared_kept, view->layers,
				 (int)home);
	call_close(view->host, home);
	view->shared = (int)layer;
	return layer < 0 ? layer : 0;
}

long view_take_layers(struct view *view)
{
	struct state *state = view->state;
	long base = fail_at(state, "make room for private layers",
			    layer_base(view->host, state, view->skeleton));
	if (base < 0)
		return base;
	view->layers = (int)base;
	long result = fail_at(state, state->shared_what, share_home(view));
	if (result == 0)
		result = view_take(view, PLACE_LAYER);
	call_close(view->host, view->shared);
	if (!state->memory)
		call_close(view->host, base);
	return result;
}

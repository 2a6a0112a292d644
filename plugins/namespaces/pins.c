/* plugins/namespaces/pins.c - in the child's init: what lies on itself, because what is a mount point cannot be renamed,
 * or because it is not as what lies around it. */
#include "config.h"

#include "view.h"

/* Where the host itself lets nothing be executed, that cannot be taken away, and need not. */
static void let_execute(const struct pinfold_host *host, int tree)
{
	if (call_permit(host, tree, AT_RECURSIVE, MOUNT_ATTR_NOEXEC) < 0)
		call_permit(host, tree, 0, MOUNT_ATTR_NOEXEC);
}

static long open_place(const struct view *view, const struct place *place)
{
	return call_open(view->host, AT_FDCWD, place->path, O_PATH | (place->file ? 0 : O_DIRECTORY));
}

static long take(const struct view *view, const struct place *place, int target)
{
	long tree = call_clone(view->host, target, "");
	if (tree >= 0 && view->state->bounded && place->executable)
		let_execute(view->host, (int)tree);
	long result = tree >= 0 && place->read_only ?
			      call_restrict(view->host, (int)tree, "", AT_RECURSIVE, MOUNT_ATTR_RDONLY) : tree;
	if (result >= 0)
		return tree;
	call_close(view->host, tree);
	return result;
}

/* Where no pin of its own is between the two. */
static const struct place *ground_of(const struct place *place)
{
	for (place = place->around; place && place->kind == PLACE_PIN; place = place->around)
		;
	return place;
}

static bool lies_on(const struct place *place, const struct place *ground)
{
	while (place && place != ground)
		place = place->around;
	return place == ground;
}

/* To take one, the kernel looks at all that is laid in the same mount, so that a thousand that were laid before make
 * the next one dear: where there is room for them, all are taken before the first is laid. What could not be taken is
 * tried again in its turn. */
void pin_take_all(const struct view *view, size_t first)
{
	struct layout *layout = &view->state->layout;
	const struct place *ground = ground_of(&layout->places[first]);
	if (layout->places[first].kind != PLACE_PIN || layout->places[first].looked_at || !view->roomy)
		return;
	for (size_t i = first; i < layout->count && lies_on(&layout->places[i], ground); i++) {
		struct place *place = &layout->places[i];
		if (place->kind != PLACE_PIN || ground_of(place) != ground)
			continue;
		place->looked_at = true;
		long target = open_place(view, place);
		if (target >= 0)
			place->tree = (int)take(view, place, (int)target);
		call_close(view->host, target);
	}
}

long pin_lay(const struct view *view, struct place *place)
{
	const struct pinfold_host *host = view->host;
	long target = open_place(view, place), tree = place->tree;
	place->tree = -1;
	long result = target;
	if (target >= 0 && tree < 0)
		result = tree = take(view, place, (int)target);
	if (result >= 0)
		result = call_lay(host, (int)tree, (int)target, "");
	else if (target < 0 && view_is_absent(target) && place->rank != RANK_LAST)
		result = 0;	/* what the policy named must be there: it could be made otherwise */
	call_close(host, tree);
	call_close(host, target);
	return result;
}

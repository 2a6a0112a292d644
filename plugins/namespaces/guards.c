/* plugins/namespaces/guards.c - what is laid over what: how protection and execution spread to what lies in a place,
 * and which places are not needed for that. Touches nothing. */
#include "config.h"

#include "layout.h"

#include <string.h>

/* The command's own from the start: nothing of the machine's is in it. */
static bool is_own(const struct place *place)
{
	return place_is_empty(place) || place->kind == PLACE_PROC;
}

bool guards_can_write(const struct scene *scene, const struct place *place)
{
	const struct place *around = place->around;
	while (around && around->kind == PLACE_PIN && !around->guarded)
		around = around->around;
	if (!around)
		return scene->region_count > 0;
	return !is_own(around) && around->kind != PLACE_SOCKET && !around->read_only && !around->guarded;
}

void guards_spread(const struct scene *scene, struct layout *layout)
{
	for (size_t i = 0; i < layout->count; i++) {
		struct place *place = &layout->places[i];
		place->guarded |= place->around && place->around->guarded;
		place->guarded &= !is_own(place);
		place->read_only |= place->guarded;
		place->executable |= place->around && place->around->executable;
		place->executable &= !is_own(place);
		place->no_execution = scene->bounded && !place->executable;
	}
}

/* What only covers something has nothing to cover in an empty place, and what is mounted there is not to be
 * seen. */
static bool is_needless(const struct place *place)
{
	bool covers = place->kind == PLACE_HIDE || place->kind == PLACE_SOCKET ||
		      place->kind == PLACE_PIN || place->rank == RANK_MACHINE;
	for (const struct place *around = place->around; covers && around; around = around->around) {
		if (place_is_empty(around))
			return true;
		if (around->kind != PLACE_PIN)
			return false;
	}
	return false;
}

/* Is it protected where nothing could be written anyway? What can be executed is to be laid in any case. */
static bool is_needless_guard(const struct scene *scene, const struct place *place)
{
	bool executable = scene->bounded && place->executable;
	return place->kind == PLACE_PIN && place->guarded && !executable && !guards_can_write(scene, place);
}

/* Readable where everything around it can be seen anyway, as the command is to see it. */
static bool is_needless_sight(const struct place *place)
{
	const struct place *around = place->around;
	while (around && around->kind == PLACE_PIN)
		around = around->around;
	return place->rank == RANK_READ && around && !place_is_empty(around);
}

void guards_drop_sights(struct layout *layout)
{
	size_t kept = 0;
	for (size_t i = 0; i < layout->count; i++) {
		struct place *place = &layout->places[i];
		place->needless = is_needless_sight(place);
		if (place->needless && (place->held || place->executable)) {
			place->kind = PLACE_PIN;
			place->rank = RANK_LAST;
			place->needless = place->read_only = false;
		}
	}
	for (size_t i = 0; i < layout->count; i++)
		if (!layout->places[i].needless)
			layout->places[kept++] = layout->places[i];
	layout->count = kept;
	layout_order(layout);
}

void guards_drop_needless(const struct scene *scene, struct layout *layout)
{
	size_t kept = 0;
	for (size_t i = 0; i < layout->count; i++)
		layout->places[i].directory |= layout->places[i].kind != PLACE_SHOW;
	for (size_t i = 0; i < layout->count; i++) {
		struct place *place = &layout->places[i];
		place->needless = is_needless(place) || is_needless_guard(scene, place) ||
				  place->kind == PLACE_ABSENT;
	}
	for (size_t i = 0; i < layout->count; i++)
		if (!layout->places[i].needless)
			layout->places[kept++] = layout->places[i];
	layout->count = kept;
	layout_order(layout);
}

int guards_note_absent(const struct pinfold_host *host, const struct scene *scene, struct layout *layout)
{
	for (size_t i = 0; i < layout->count; i++) {
		const struct place *place = &layout->places[i];
		if (place->kind != PLACE_ABSENT || !guards_can_write(scene, place))
			continue;
		if (!layout->absent)
			layout->absent = host->allocate(host, layout->count * sizeof(*layout->absent));
		if (!layout->absent)
			return -1;
		layout->absent[layout->absent_count++] = *place;
	}
	return 0;
}

/* policy/axes.c - promises by name: what must be kept, and which gaps are accepted. */
#include "policy/axes.h"

#include "base/fault.h"
#include "base/text.h"

#include <stdio.h>

static const char *const axis_names[] = {
#define AXIS_NAME(NAME, name, kept, noun) name,
	PINFOLD_AXES(AXIS_NAME)
#undef AXIS_NAME
};

int policy_axis(const char *name)
{
	for (int axis = 0; axis < PINFOLD_AXIS_COUNT; axis++)
		if (streq(axis_names[axis], name))
			return axis;
	return -1;
}

const char *policy_axis_name(unsigned axis)
{
	return axis < PINFOLD_AXIS_COUNT ? axis_names[axis] : NULL;
}

static int unknown(const char *name, const char *key, struct pinfold_error *err)
{
	char recovery[128] = "`pinfold probe` lists the promises";
	const char *nearest = text_nearest(name, axis_names, PINFOLD_AXIS_COUNT);
	if (nearest)
		snprintf(recovery, sizeof(recovery), "did you mean `%s`?", nearest);
	return faultf(err, PINFOLD_E_POLICY, 0, "read the names of promises", recovery,
		      "[pinfold] %s: %s", key, name);
}

int axes_read(const struct list *names, uint64_t *ret_bits, struct pinfold_error *err)
{
	uint64_t bits = 0;
	for (size_t i = 0; i < names->count; i++) {
		int axis = policy_axis(names->items[i]);
		if (axis < 0)
			return unknown(names->items[i], "require", err);
		bits |= UINT64_C(1) << axis;
	}
	*ret_bits = bits;
	return 0;
}

/* "network", or one thing on an axis: "secrets:/home/u/.ssh". */
static int check_relaxed(const char *name, uint64_t required, struct pinfold_error *err)
{
	char axis_name[64];
	size_t length = strcspn(name, ":");
	snprintf(axis_name, sizeof(axis_name), "%.*s", (int)(length < 63 ? length : 63), name);
	int axis = policy_axis(axis_name);
	if (axis < 0 && streq(axis_name, "execution"))	/* a construct that no promise speaks of */
		return 0;
	if (axis < 0)
		return unknown(axis_name, "relax", err);
	if (name[length] == '\0' && required >> axis & 1)
		return fault(err, PINFOLD_E_POLICY, 0, "relax a promise that is required", name,
			     "take it out of [pinfold] require, or out of relax");
	return 0;
}

int axes_read_relaxed(const struct list *names, uint64_t required, struct arena *arena,
		      const char *const **ret_names, struct pinfold_error *err)
{
	const char **copies = arena_allocate(arena, (names->count + 1) * sizeof(*copies));
	if (!copies)
		return fault_no_memory(err);
	for (size_t i = 0; i < names->count; i++) {
		if (check_relaxed(names->items[i], required, err) < 0)
			return -1;
		copies[i] = arena_copy(arena, names->items[i]);
		if (!copies[i])
			return fault_no_memory(err);
	}
	*ret_names = copies;
	return 0;
}

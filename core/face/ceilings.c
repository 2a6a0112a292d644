/* face/ceilings.c - ceilings on everything that a run starts. */
#include "config.h"

#include "face/ceilings.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/list.h"
#include "base/path.h"
#include "base/text.h"
#include "face/face.h"

#include <inttypes.h>

void ceilings_begin(struct pinfold_run *run)
{
	struct ceilings *own = &run->ceilings;
	const struct policy_ceilings *asked = &run->policy->ceilings;
	own->wanted = asked->memory || asked->tasks || asked->processors || run->policy->require & PINFOLD_BIT(RESOURCES);
	if (!own->wanted || run->becomes)	/* which is refused by name */
		return;
	if (run->explained)
		own->foreseen = group_foresee(asked, &own->refusal) == 0;
	else if (group_make(asked, &own->group, &own->refusal) < 0)
		own->group = NULL;
}

static bool is_had(const struct pinfold_run *run)
{
	return run->ceilings.group || run->ceilings.foreseen;
}

struct arms_group ceilings_answer(const struct pinfold_run *run)
{
	const struct ceilings *own = &run->ceilings;
	return (struct arms_group){
		.wanted = own->wanted && !run->becomes,
		.had = is_had(run),
		.why = own->refusal.why,
		.lift = own->refusal.lift,
	};
}

/* --- gaps ----------------------------------------------------------------------------------------------- */
static bool meets(const char *path, const struct list *places)
{
	for (size_t i = 0; i < places->count; i++)
		if (path_is_within(path, places->items[i]) || path_is_within(places->items[i], path))
			return true;
	return false;
}

/* Whoever can write where cgroups are mounted could change or leave the group, at whichever of the places. */
static const char *find_writable(const struct pinfold_run *run)
{
	const struct pinfold_policy *policy = &run->policy->lowered;
	auto_list struct list places = { 0 };
	bool told = group_places(&places) == 0;
	for (size_t i = 0; i < policy->path_count; i++) {
		const struct pinfold_path *path = &policy->paths[i];
		if (path->kind == PINFOLD_PATH_WRITE && (!told || meets(path->path, &places)))
			return path->path;
	}
	return NULL;
}

/* Why a command in the group would not be held there; false where it would. */
static bool is_open(const struct pinfold_run *run, const char **ret_why, const char **ret_lift)
{
	const struct arms_offer *offer = run->choice.offer;
	const char *writable = offer ? find_writable(run) : NULL;
	if (!offer) {
		*ret_why = "without confinement the command could leave its cgroup";
		*ret_lift = "let it run in the sandbox ([placement] host, --where), or start it in a service with ceilings "
			    "(systemd-run -p MemoryMax=…)";
	} else if (!offer->offer.holds_group) {
		*ret_why = offer->offer.note[PINFOLD_AXIS_RESOURCES];
		*ret_lift = "use the arm namespaces or landlock, or start it in a service with ceilings (systemd-run -p "
			    "MemoryMax=…)";
		if (!*ret_why)
			*ret_why = "the arm does not keep a command in a cgroup";
	} else if (writable) {
		*ret_why = arena_print(run->policy->arena, "the command could change its own cgroup: %s can be written",
				       writable);
		*ret_lift = "leave it out of [filesystem] writable";
	} else if (run->policy->lowered.calls_allowed >> PINFOLD_CALL_NAMESPACES & 1) {
		*ret_why = "the command could begin processes in another cgroup";
		*ret_lift = "leave the class namespaces out of [kernel] allow";
	} else {
		return false;
	}
	return true;
}

/* Why there is no ceiling here, or none that holds; false where there is one. */
static bool is_missing(const struct pinfold_run *run, const char **ret_why, const char **ret_lift)
{
	if (is_had(run))
		return is_open(run, ret_why, ret_lift);
	*ret_why = arena_copy(run->policy->arena, run->ceilings.refusal.why);
	*ret_lift = run->ceilings.refusal.lift;
	return true;
}

int ceilings_gaps(struct pinfold_run *run, const struct pinfold_gap **ret_gaps, size_t *ret_count,
		  struct pinfold_error *err)
{
	const struct policy_ceilings *asked = &run->policy->ceilings;
	struct arena *arena = run->policy->arena;
	const char *why, *lift;
	*ret_gaps = NULL;
	*ret_count = 0;
	if (!run->ceilings.wanted || !is_missing(run, &why, &lift))
		return 0;
	const struct {
		uint64_t asked;
		const char *name, *construct;
	} rows[] = {
		{ asked->memory, "resources:memory",
		  arena_print(arena, "memory %" PRIu64 " of the whole run", asked->memory) },
		{ asked->tasks, "resources:tasks",
		  arena_print(arena, "tasks %" PRIu64 " of the whole run", asked->tasks) },
		{ asked->processors, "resources:processors",
		  arena_print(arena, "processors %" PRIu64 ".%02" PRIu64 " of the whole run", asked->processors / 100,
			      asked->processors % 100) },
		{ !(asked->memory || asked->tasks || asked->processors), "resources", "ceilings of the whole run" },
	};
	struct pinfold_gap *gaps = arena_allocate(arena, N_ELEMENTS(rows) * sizeof(*gaps));
	size_t count = 0;
	for (size_t i = 0; gaps && i < N_ELEMENTS(rows); i++) {
		if (!rows[i].asked)
			continue;
		if (!why || !rows[i].construct)
			return fault_no_memory(err);
		gaps[count++] = (struct pinfold_gap){ .size = sizeof(*gaps), .name = rows[i].name,
						      .construct = rows[i].construct, .why = why, .lift = lift };
	}
	*ret_gaps = gaps;
	*ret_count = count;
	return gaps ? 0 : fault_no_memory(err);
}

/* --- the run ----------------------------------------------------------------------------------------------- */
int ceilings_entry(const struct pinfold_run *run)
{
	return run->ceilings.group ? group_entry(run->ceilings.group) : 0;
}

void ceilings_count(struct pinfold_run *run)
{
	if (run->ceilings.group)
		group_read(run->ceilings.group, NULL);
}

void ceilings_read(struct pinfold_run *run)
{
	if (run->ceilings.group)
		group_read(run->ceilings.group, &run->ceilings.hits);
}

void ceilings_end(struct pinfold_run *run)
{
	struct group *group = take_pointer(&run->ceilings.group);
	if (run->times.launched)
		group_free(group);
	else
		group_abandon(group);
}

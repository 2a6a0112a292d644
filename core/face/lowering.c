/* face/lowering.c - the policy as one arm can take it: in the arm's sight of the tree, and without constructs
 * that its module was built too early to know, which are gaps. */
#include "config.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"
#include "face/face.h"

#include <stdio.h>
#include <sys/stat.h>

enum { CONSTRUCTS_MINOR = 2 };	/* the interface's version that brought them */

/* Of the hard tier what is protected in the tree is so only where that is shown itself: in a copy it can be
 * written, and is held back when it is applied. And where it is shown a commit must not land in a layer
 * beside it. */
static bool is_out_of_place(const struct pinfold_run *run, const struct pinfold_path *path)
{
	if (view_is_direct(run))
		return path->keep;
	return path->hard && path->kind == PINFOLD_PATH_PROTECT &&
	       path_is_within(path->path, run->directory.path);
}

static bool is_of_tree(const struct pinfold_run *run, const struct pinfold_path *path)
{
	return run->arm.arm->placing == PINFOLD_PLACING_IDENTITY && !view_is_direct(run) &&
	       run->shown.source && path_is_within(path->path, run->shown.tree);
}

/* The same in the copy; 0 where it was not copied. But what is hidden stays hidden where it lies, and what is
 * protected must not come to be either. */
static int move_into_copy(struct pinfold_run *run, struct pinfold_path *path, struct pinfold_error *err)
{
	const char *rest = path_below(path->path, run->shown.tree);
	struct stat status = { 0 };
	const char *moved = arena_print(run->policy->arena, "%s%s%s", run->shown.source, *rest ? "/" : "", rest);
	if (!moved)
		return fault_no_memory(err);
	if (lstat(moved, &status) < 0 && path->kind != PINFOLD_PATH_PROTECT)
		return path->kind == PINFOLD_PATH_HIDE;
	path->path = moved;
	path->device = status.st_dev;
	path->inode = status.st_ino;
	path->mode = status.st_mode;
	return 1;
}

static bool is_literal(const struct pinfold_path *path)
{
	return path->match == PINFOLD_MATCH_LITERAL;
}

/* Would a module of the first interface take it, and mean the same by it? */
static bool is_old_path(const struct pinfold_path *path)
{
	return path->kind <= PINFOLD_PATH_LAYER && !is_literal(path);
}

static int add_gap(struct pinfold_run *run, const char *name, const char *construct, struct pinfold_error *err)
{
	struct prepared_arm *arm = &run->arm;
	struct pinfold_gap *gaps =
		arena_allocate(run->policy->arena, (arm->gap_count + 1) * sizeof(*gaps));
	if (!gaps || !name || !construct)
		return fault_no_memory(err);
	if (arm->gap_count > 0)
		memcpy(gaps, arm->gaps, arm->gap_count * sizeof(*gaps));
	gaps[arm->gap_count++] = (struct pinfold_gap){
		.size = sizeof(*gaps), .name = name, .construct = construct,
		.why = "its module was built before there was this construct",
		.lift = "update the module, or use the arm namespaces",
	};
	arm->gaps = gaps;
	return 0;
}

static int add_path_gap(struct pinfold_run *run, const struct pinfold_path *path, struct pinfold_error *err)
{
	static const struct { const char *axis, *noun; } words[] = {
		[PINFOLD_PATH_HIDE] = { "secrets", "hidden" },	   [PINFOLD_PATH_WRITE] = { "writes", "writable" },
		[PINFOLD_PATH_LAYER] = { "writes", "layered" },	   [PINFOLD_PATH_READ] = { "secrets", "readable" },
		[PINFOLD_PATH_EXECUTE] = { "execution", "executable" },
		[PINFOLD_PATH_PROTECT] = { "writes", "protected" }, [PINFOLD_PATH_SOCKET] = { "sockets", "socket" },
	};
	struct arena *arena = run->policy->arena;
	return add_gap(run, arena_print(arena, "%s:%s", words[path->kind].axis, path->path),
		       arena_print(arena, "%s %s%s", words[path->kind].noun, is_literal(path) ? "=" : "", path->path),
		       err);
}

static int select_paths(struct pinfold_run *run, bool old, struct pinfold_error *err)
{
	struct pinfold_policy *policy = &run->arm.policy;
	struct pinfold_path *paths =
		arena_allocate(run->policy->arena, (policy->path_count + 1) * sizeof(*paths));
	size_t kept = 0;
	if (!paths)
		return fault_no_memory(err);
	for (size_t i = 0; i < policy->path_count; i++) {
		paths[kept] = policy->paths[i];
		if (is_out_of_place(run, &paths[kept]))
			continue;
		int there = is_of_tree(run, &paths[kept]) ? move_into_copy(run, &paths[kept], err) : 1;
		if (there < 0 || (there && old && !is_old_path(&paths[kept]) && add_path_gap(run, &paths[kept], err) < 0))
			return -1;
		if (there && (!old || is_old_path(&paths[kept])))
			kept++;
	}
	policy->paths = paths;
	policy->path_count = kept;
	return 0;
}

static int add_old_gaps(struct pinfold_run *run, struct pinfold_error *err)
{
	static const char *const calls[] = {
#define CALL_NAME(NAME, name, what) name,
		PINFOLD_CALLS(CALL_NAME)
#undef CALL_NAME
	};
	struct pinfold_policy *policy = &run->arm.policy;
	struct arena *arena = run->policy->arena;
	int result = 0;
	if (policy->network == PINFOLD_NETWORK_PORTS) {
		policy->network = PINFOLD_NETWORK_NONE;
		result = add_gap(run, "network:ports", "network ports", err);
	}
	for (size_t i = 0; result == 0 && i < N_ELEMENTS(calls); i++)
		if (policy->calls_refused >> i & 1)
			result = add_gap(run, arena_print(arena, "kernel:%s", calls[i]),
					 arena_print(arena, "refused system calls %s", calls[i]), err);
	return result;
}

static bool needs_selection(const struct pinfold_run *run, bool old)
{
	const struct pinfold_policy *policy = &run->arm.policy;
	for (size_t i = 0; i < policy->path_count; i++)
		if (is_out_of_place(run, &policy->paths[i]) || is_of_tree(run, &policy->paths[i]) ||
		    (old && !is_old_path(&policy->paths[i])))
			return true;
	return false;
}

int lowering_make(struct pinfold_run *run, struct pinfold_error *err)
{
	struct prepared_arm *arm = &run->arm;
	bool old = registry_minor_of(run->pinfold->registry, arm->arm) < CONSTRUCTS_MINOR;
	arm->policy = run->policy->lowered;
	arm->policy.streams = run->streams.given;
	if (run->throwaway)	/* what it is refused nobody asks about */
		arm->policy.tells = 0;
	arm->gaps = NULL;
	arm->gap_count = 0;
	if (needs_selection(run, old) && select_paths(run, old, err) < 0)
		return -1;
	return old ? add_old_gaps(run, err) : 0;
}

/* Does `list` name this gap, or the whole axis that it lies on? */
static bool is_named(const char *const *list, const char *name)
{
	size_t axis = strcspn(name, ":");
	for (; list && *list; list++)
		if (streq(*list, name) || (strlen(*list) == axis && memcmp(*list, name, axis) == 0))
			return true;
	return false;
}

/* Does the arm promise what this gap takes away? A gap on an axis that nobody knows is as bad. */
static bool is_promised(const struct pinfold_run *run, const char *name)
{
	char axis[64];
	snprintf(axis, sizeof(axis), "%.*s", (int)strcspn(name, ":"), name);
	int number = policy_axis(axis);
	if (number < 0)
		return true;
	uint64_t counted = run->choice.offer->offer.kept | run->policy->require;
	return counted & UINT64_C(1) << number;
}

/* The gap's texts go with the arm, and the receipt comes after. */
static int note_relaxed(struct pinfold_run *run, const struct pinfold_gap *gap, struct pinfold_error *err)
{
	struct arena *arena = run->policy->arena;
	struct receipt_relaxation *relaxed = arena_allocate(arena, (run->relaxed_count + 1) * sizeof(*relaxed));
	const char *const given[] = { gap->name ? gap->name : "unnamed", gap->construct ? gap->construct : gap->name,
				      gap->why ? gap->why : "no reason", gap->lift ? gap->lift : "use another arm" };
	const char *kept[N_ELEMENTS(given)];
	bool failed = !relaxed;
	for (size_t i = 0; i < N_ELEMENTS(given); i++)
		failed = !(kept[i] = arena_copy(arena, given[i] ? given[i] : "unnamed")) || failed;
	if (failed)
		return fault_no_memory(err);
	if (run->relaxed_count > 0)
		memcpy(relaxed, run->relaxed, run->relaxed_count * sizeof(*relaxed));
	relaxed[run->relaxed_count++] = (struct receipt_relaxation){ kept[0], kept[1], kept[2], kept[3] };
	run->relaxed = relaxed;
	return 0;
}

static void tell_relaxed(const struct pinfold_run *run)
{
	for (size_t i = 0; !run->throwaway && run->pinfold->log && i < run->relaxed_count; i++) {
		struct text line = { 0 };
		const struct receipt_relaxation *relaxed = &run->relaxed[i];
		text_addf(&line, "not enforced, as --relax %s accepts: %s (%s); to have it enforced: %s", relaxed->name,
			  relaxed->construct, relaxed->why, relaxed->lift);
		auto_free char *said = text_take(&line);
		run->pinfold->log(run->pinfold->log_context, PINFOLD_LOG_WARNING, said ? said : relaxed->name);
	}
}

/* What remains when everything that was accepted is given up. */
struct remaining {
	struct text what, lifts;
};

/* Each once: gaps of one arm are mostly lifted alike. */
static void add_lift(struct text *lifts, const struct pinfold_gap *gap, const char *name)
{
	struct text one = { 0 };
	text_addf(&one, gap->firm ? "%s" : "%s, or accept it with --relax %s",
		  gap->lift ? gap->lift : "use another arm", name);
	auto_free char *lift = text_take(&one);
	if (!lift)
		lifts->failed = true;
	else if (!lifts->data || !strstr(lifts->data, lift))
		text_addf(lifts, "%s%s", lifts->length ? "; " : "", lift);
}

static void add_remaining(struct remaining *remaining, const struct pinfold_gap *gap, const char *name)
{
	text_addf(&remaining->what, "%s%s (%s)", remaining->what.length ? "; " : "",
		  gap->construct ? gap->construct : name, gap->why ? gap->why : "no reason");
	add_lift(&remaining->lifts, gap, name);
}

/* A gap where the arm promises nothing is what its statement says already; it is noted, as is one
 * that the caller accepted. Any other would make the statement untrue, and a firm one cannot be accepted.
 * `by_number`: it was asked for by its number, which an arm that promises none does not answer. */
static int weigh(struct pinfold_run *run, const struct pinfold_gap *gap, bool by_number,
		 struct remaining *remaining, struct pinfold_error *err)
{
	const char *name = gap->name ? gap->name : "unnamed";
	bool accepted = !gap->firm && is_named(run->policy->lowered.relax, name);
	if (!accepted && (gap->firm || by_number || is_promised(run, name))) {
		add_remaining(remaining, gap, name);
		return 0;
	}
	if (list_add(&run->not_held, name) < 0)
		return fault_no_memory(err);
	return accepted ? note_relaxed(run, gap, err) : 0;
}

static int weigh_ceilings(struct pinfold_run *run, struct remaining *remaining, struct pinfold_error *err)
{
	const struct pinfold_gap *gaps;
	size_t count;
	int result = ceilings_gaps(run, &gaps, &count, err);
	for (size_t i = 0; result == 0 && i < count; i++)
		result = weigh(run, &gaps[i], true, remaining, err);
	return result;
}

int lowering_weigh(struct pinfold_run *run, struct pinfold_error *err)
{
	const struct pinfold_plan *plan = &run->arm.plan;
	struct remaining remaining = { { 0 }, { 0 } };
	int result = 0;
	run->relaxed_count = 0;
	for (size_t i = 0; result == 0 && i < run->arm.gap_count; i++)
		result = weigh(run, &run->arm.gaps[i], false, &remaining, err);
	for (uint32_t i = 0; result == 0 && i < plan->gap_count; i++)
		result = weigh(run, &plan->gaps[i], false, &remaining, err);
	if (result == 0 && run->ceilings.wanted)
		result = weigh_ceilings(run, &remaining, err);
	bool any = remaining.what.length > 0 || remaining.what.failed;
	auto_free char *what = text_take(&remaining.what), *lift = text_take(&remaining.lifts);
	if (result < 0)
		return -1;
	if (any && what && lift)
		return fault(err, PINFOLD_E_SANDBOX_DENIED, 0, "enforce all that was asked for", what, lift);
	if (any)
		return fault_no_memory(err);
	tell_relaxed(run);
	return 0;
}

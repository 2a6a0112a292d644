/* tree/apply_order.c - which change is acted on first.
 *
 * What comes, comes before what goes, and in a directory of git's what is led to before what leads to it: then
 * a git that runs meanwhile, or after a kill that nobody has undone yet, finds each object in one place at
 * least. Only what makes room goes first.
 */
#include "config.h"

#include "tree/apply_plan.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "tree/git_changes.h"

#include <stdlib.h>

/* Smaller first; equal ones by number. */
struct ranked {
	uint64_t rank;
	size_t number;	/* of the item, or of what is taken */
	uint32_t item;
};

struct ordering {
	const struct plan *plan;
	bool *early;	/* of each item: it makes room, or lies in what does */
	struct ranked *ranked;
	size_t count;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *left = a, *right = b;
	if (left->rank != right->rank)
		return left->rank < right->rank ? -1 : 1;
	return left->number < right->number ? -1 : left->number > right->number;
}

static unsigned rank_in_git(const struct plan_item *item, const struct plan *plan, bool removed)
{
	const struct change *change = item->item->change;
	const char *path = plan_path_in_git(plan, item->part, removed ? change_old_path(change) : change->path);
	return path ? 1 + git_rank(path, removed) : 0;
}

static bool is_ready(const struct ordering *ordering, uint32_t item)
{
	return ordering->plan->items[item].state == APPLY_READY;
}

/* Does it lie in something that is taken early? Memory that is gone is no reason to let it wait. */
static bool is_below_early(const struct ordering *ordering, uint32_t part, const char *path)
{
	for (const char *at = strchr(path, '/'); at; at = strchr(at + 1, '/')) {
		auto_free char *above = strndup(path, (size_t)(at - path));
		const struct plan_item *taken = above ? plan_find_taken(ordering->plan, part, above) : NULL;
		if (!above || (taken && ordering->early[taken - ordering->plan->more]))
			return true;
	}
	return false;
}

/* What is above comes first in the list of what is taken. */
static void find_early(struct ordering *ordering)
{
	const struct plan *plan = ordering->plan;
	for (size_t i = 0; i < plan->count; i++)
		if (plan->more[i].waits && is_ready(ordering, (uint32_t)i))
			ordering->early[plan->more[i].waits - 1] = true;
	for (uint32_t part = 0; part < plan->order->count; part++)
		for (size_t i = 0; i < plan->taken_count[part]; i++) {
			const struct plan_taken *taken = &plan->taken[plan->first[part] + i];
			bool only_goes = plan->items[taken->item].change->kind == CHANGE_REMOVED;
			if (!only_goes || is_below_early(ordering, part, taken->path))
				ordering->early[taken->item] = true;
		}
}

static void add(struct ordering *ordering, uint32_t item, uint64_t rank, size_t number)
{
	ordering->ranked[ordering->count++] = (struct ranked){ rank, number, item };
}

/* Deepest first, so that directories are empty when they go; all of them after the files. */
static void add_taken(struct ordering *ordering, bool early)
{
	const struct plan *plan = ordering->plan;
	size_t number = 0;
	for (uint32_t part = 0; part < plan->order->count; part++)
		for (size_t i = plan->taken_count[part]; i > 0; i--) {
			uint32_t item = plan->taken[plan->first[part] + i - 1].item;
			if (!is_ready(ordering, item) || ordering->early[item] != early)
				continue;
			bool folder = plan->items[item].change->before.kind == INDEX_FOLDER;
			uint64_t rank = early ? 0 : folder ? UINT32_MAX : rank_in_git(&plan->more[item], plan, true);
			add(ordering, item, rank, number++);
		}
}

/* A directory that is moved or made may be what others are put into. */
static void add_new(struct ordering *ordering)
{
	const struct plan *plan = ordering->plan;
	for (uint32_t item = 0; item < plan->count; item++) {
		bool folder = plan->items[item].change->after.kind == INDEX_FOLDER;
		if (is_ready(ordering, item))
			add(ordering, item, folder ? 0 : 1 + rank_in_git(&plan->more[item], plan, false), item);
	}
}

static int give(struct ordering *ordering, struct plan_order *ret_order, struct pinfold_error *err)
{
	if (ordering->count > 1)
		qsort(ordering->ranked, ordering->count, sizeof(*ordering->ranked), compare_ranked);
	struct plan_order order = { .items = malloc((ordering->count + 1) * sizeof(*order.items)) };
	if (!order.items)
		return fault_no_memory(err);
	for (; order.count < ordering->count; order.count++)
		order.items[order.count] = ordering->ranked[order.count].item;
	*ret_order = order;
	return 0;
}

int plan_order(const struct plan *plan, enum plan_phase phase, struct plan_order *ret_order,
	       struct pinfold_error *err)
{
	auto_free bool *early = calloc(plan->count + 1, sizeof(*early));
	auto_free struct ranked *ranked = calloc(plan->count + 1, sizeof(*ranked));
	struct ordering ordering = { .plan = plan, .early = early, .ranked = ranked };
	if (!early || !ranked)
		return fault_no_memory(err);
	if (phase == PLAN_COMES) {
		add_new(&ordering);
	} else {
		find_early(&ordering);
		add_taken(&ordering, phase == PLAN_MAKES_ROOM);
	}
	return give(&ordering, ret_order, err);
}

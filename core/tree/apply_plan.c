/* tree/apply_plan.c - the changes of all parts, and how one finds those that others depend on. */
#include "config.h"

#include "tree/apply_plan.h"

#include "base/fault.h"
#include "policy/git_find.h"

#include <stdlib.h>

bool plan_takes(const struct change *change)
{
	if (change->kind == CHANGE_RETYPED)
		return change->before.kind == INDEX_FOLDER || change->after.kind == INDEX_FOLDER;
	return change->kind == CHANGE_REMOVED || change->kind == CHANGE_RENAMED;
}

bool plan_moves(const struct change *change)
{
	return change->kind == CHANGE_RENAMED && change->before.kind == change->after.kind &&
	       (change->after.kind == INDEX_FOLDER ||
		!(change->what & (CHANGED_CONTENT | CHANGED_TARGET)));
}

static int compare_taken(const void *a, const void *b)
{
	const struct plan_taken *left = a, *right = b;
	return strcmp(left->path, right->path);
}

static void begin_part(struct plan *plan, uint32_t part, size_t first)
{
	const struct apply_part *from = &plan->order->parts[part];
	plan->first[part] = first;
	plan->git[part] = from->elsewhere && from->belongs && git_find_is_directory(from->place_fd);
	for (size_t i = 0; i < from->changes->count; i++) {
		const struct change *change = &from->changes->items[i];
		plan->items[first + i] = (struct apply_item){ .change = change, .part = from };
		plan->more[first + i] = (struct plan_item){ .item = &plan->items[first + i], .part = part };
		if (plan_takes(change))
			plan->taken[first + plan->taken_count[part]++] = (struct plan_taken){
				change_old_path(change), (uint32_t)(first + i),
			};
	}
	qsort(plan->taken + first, plan->taken_count[part], sizeof(*plan->taken), compare_taken);
}

int plan_begin(struct plan *plan, struct pinfold_error *err)
{
	const struct apply_order *order = plan->order;
	size_t count = 0;
	for (size_t i = 0; i < order->count; i++)
		count += order->parts[i].changes->count;
	plan->items = calloc(count + 1, sizeof(*plan->items));
	plan->more = calloc(count + 1, sizeof(*plan->more));
	plan->taken = calloc(count + 1, sizeof(*plan->taken));
	plan->first = calloc(order->count + 1, sizeof(*plan->first));
	plan->taken_count = calloc(order->count + 1, sizeof(*plan->taken_count));
	plan->git = calloc(order->count + 1, sizeof(*plan->git));
	if (!plan->items || !plan->more || !plan->taken || !plan->first || !plan->taken_count || !plan->git)
		return fault_no_memory(err);
	for (size_t i = 0; i < order->count; i++) {
		begin_part(plan, (uint32_t)i, plan->count);
		plan->count += order->parts[i].changes->count;
	}
	plan->first[order->count] = plan->count;
	return 0;
}

void plan_release(struct plan *plan)
{
	free(plan->items);
	free(plan->more);
	free(plan->taken);
	free(plan->first);
	free(plan->taken_count);
	free(plan->git);
	*plan = (struct plan){ 0 };
}

const char *plan_path_in_git(const struct plan *plan, uint32_t part, const char *path)
{
	const char *found = plan->git[part] ? path : NULL;
	for (const char *at = path; at; at = strchr(at, '/')) {
		at += *at == '/';
		if (starts_with(at, ".git/"))
			found = at + strlen(".git/");
	}
	return found;
}

struct plan_item *plan_find_new(const struct plan *plan, uint32_t part, const char *path)
{
	size_t low = plan->first[part], high = plan->first[part + 1];
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (strcmp(plan->items[middle].change->path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < plan->first[part + 1] && streq(plan->items[low].change->path, path); low++)
		if (plan->items[low].change->kind != CHANGE_REMOVED)
			return &plan->more[low];
	return NULL;
}

struct plan_item *plan_find_taken(const struct plan *plan, uint32_t part, const char *path)
{
	struct plan_taken wanted = { .path = path };
	const struct plan_taken *found = bsearch(&wanted, plan->taken + plan->first[part],
						 plan->taken_count[part], sizeof(wanted), compare_taken);
	return found ? &plan->more[found->item] : NULL;
}

/* The nearest directory above that another item makes or moves. */
static struct plan_item *find_above(const struct plan *plan, uint32_t part, const char *path,
				    size_t *ret_bytes)
{
	for (size_t bytes = strlen(path); bytes > 0; bytes--) {
		if (path[bytes] != '/')
			continue;
		char *above = strndup(path, bytes);
		struct plan_item *found = above ? plan_find_new(plan, part, above) : NULL;
		free(above);
		if (!found || found->item->change->kind == CHANGE_MODIFIED || found->item->state == APPLY_SAME)
			continue;
		*ret_bytes = bytes;
		return found;
	}
	return NULL;
}

enum plan_parent plan_locate(const struct plan *plan, uint32_t part, const char *path, char **ret_where,
			     struct plan_item **ret_parent)
{
	size_t bytes = 0;
	struct text where = { 0 };
	struct plan_item *above = find_above(plan, part, path, &bytes);
	*ret_parent = above;
	*ret_where = NULL;
	if (above && (above->item->state != APPLY_READY || above->item->change->after.kind != INDEX_FOLDER))
		return PLAN_IN_NONE;
	if (above && !plan_moves(above->item->change))
		return PLAN_IN_NEW;
	text_add(&where, above ? above->item->change->from : "");
	text_add(&where, path + bytes);
	*ret_where = text_take(&where);
	return *ret_where ? PLAN_IN_TREE : PLAN_IN_NONE;
}

/* tree/apply_list.c - the steps of everything that is ready, in the order in which they are done. */
#include "config.h"

#include "tree/apply_plan.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "tree/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/random.h>

struct listed_steps {
	struct plan *plan;
	struct steps *steps;
	uint32_t *of_item;	/* its TAKE or PUT, and 1 */
	struct pinfold_error *err;
};

static int fail(struct listed_steps *list, const struct plan_item *item)
{
	return faultf(list->err, PINFOLD_E_TREE, errno, "prepare the changes",
		      "check that the working tree can be written, and apply again", "%s/%s",
		      item->item->part->path, item->item->change->path);
}

static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return strndup(path, slash ? (size_t)(slash - path) : 0);
}

/* Notes the directory that `path` lies in, where the tree has it now at `where`. */
static int prepare_directory(struct listed_steps *list, const struct plan_item *item, const char *where,
			     const char *path, uint32_t *ret_area)
{
	auto_free char *before = directory_of(where), *after = directory_of(path);
	if (!before || !after)
		return fault_no_memory(list->err);
	if (touched_add(list->steps, item->part, before, after) < 0 ||
	    areas_find(list->steps, item->part, before, ret_area) < 0)
		return fail(list, item);
	return 0;
}

static struct step *add(struct listed_steps *list, const struct plan_item *item, uint8_t kind,
			const char *path)
{
	struct step *step = steps_add(list->steps, kind, item->part, path);
	if (!step) {
		fault_no_memory(list->err);
		return NULL;
	}
	step->change = item->item->change;
	step->item = (uint32_t)(item - list->plan->more);
	step->old = item->found;
	return step;
}

static int add_take(struct listed_steps *list, const struct plan_item *item)
{
	const char *path = change_old_path(item->item->change);
	struct step *step = add(list, item, STEP_TAKE, path);
	if (!step)
		return -1;
	step->moved = plan_moves(item->item->change);
	list->of_item[step->item] = (uint32_t)list->steps->count;
	/* Of a directory that goes, where it will be nobody asks. */
	return prepare_directory(list, item, path, path, &step->area);
}

/* Rights and kind of what comes; whoever makes it adds what the directory gives. */
static uint32_t wanted_mode(const struct plan_item *item)
{
	const struct change *change = item->item->change;
	uint32_t after = change->after.stamp.mode, found = item->found.mode;
	bool keeps = found && change->kind != CHANGE_ADDED && change->kind != CHANGE_RETYPED &&
		     !(change->what & CHANGED_MODE);
	return (after & S_IFMT) | ((keeps ? found : after) & 0777);
}

static int add_new(struct listed_steps *list, const struct plan_item *item)
{
	const struct change *change = item->item->change;
	struct plan_item *parent = NULL;
	auto_free char *where = NULL;
	enum plan_parent in = plan_locate(list->plan, item->part, change->path, &where, &parent);
	bool moved = plan_moves(change);
	if (in == PLAN_IN_NEW && !moved)
		return 0;	/* it comes with that */
	struct step *step = add(list, item, STEP_PUT, change->path);
	if (!step)
		return -1;
	uint32_t number = (uint32_t)list->steps->count - 1;
	step->moved = moved;
	if (moved) {
		step->from = list->of_item[step->item] - 1;
		step->area = list->steps->items[step->from].area;
	} else {
		step->old = (struct stamp){ 0 };
		step->new.mode = wanted_mode(item);
		list->of_item[step->item] = number + 1;
	}
	if (in != PLAN_IN_TREE)
		return 0;
	uint32_t area;
	if (prepare_directory(list, item, where, change->path, &area) < 0)
		return -1;
	if (!moved)
		list->steps->items[number].area = area;
	return 0;
}

static int add_swap(struct listed_steps *list, const struct plan_item *item)
{
	const struct change *change = item->item->change;
	struct step *step = add(list, item, STEP_SWAP, change->path);
	if (!step)
		return -1;
	step->new.mode = wanted_mode(item);
	return prepare_directory(list, item, change_old_path(change), change->path, &step->area);
}

static int add_set(struct listed_steps *list, const struct plan_item *item)
{
	const struct change *change = item->item->change;
	struct step *step = add(list, item, STEP_SET, change->path);
	if (!step)
		return -1;
	step->attributes = change->what & CHANGED_ATTRIBUTES;
	uint32_t kept = S_ISDIR(item->found.mode) ? item->found.mode & 07000 : 0;
	step->new.mode = change->what & CHANGED_MODE ? wanted_mode(item) | kept : item->found.mode;
	auto_free char *before = directory_of(change_old_path(change));
	if (!before)
		return fault_no_memory(list->err);
	return areas_find(list->steps, item->part, before, &step->area) < 0 ? fail(list, item) : 0;
}

static bool sets(const struct change *change)
{
	if (change->kind == CHANGE_RENAMED)
		return plan_moves(change) && change->what & (CHANGED_MODE | CHANGED_ATTRIBUTES);
	return change->kind == CHANGE_MODIFIED && !(change->what & (CHANGED_CONTENT | CHANGED_TARGET));
}

static bool swaps(const struct change *change)
{
	return (change->kind == CHANGE_MODIFIED && !sets(change)) ||
	       (change->kind == CHANGE_RETYPED && !plan_takes(change));
}

static bool makes(const struct change *change)
{
	return change->kind == CHANGE_ADDED || change->kind == CHANGE_RENAMED ||
	       (change->kind == CHANGE_RETYPED && plan_takes(change));
}

/* What is made in a new directory, with the PUT of the topmost one that is. */
static int add_inner(struct listed_steps *list, const struct plan_item *item)
{
	const struct change *change = item->item->change;
	struct plan_item *parent = NULL;
	auto_free char *where = NULL;
	if (plan_moves(change) ||
	    plan_locate(list->plan, item->part, change->path, &where, &parent) != PLAN_IN_NEW)
		return 0;
	uint32_t of_parent = list->of_item[parent - list->plan->more];
	struct step *step = add(list, item, STEP_INNER, change->path);
	if (!step || of_parent == 0)
		return -1;
	const struct step *above = &list->steps->items[of_parent - 1];
	step->from = above->kind == STEP_INNER ? above->from : of_parent - 1;
	step->area = list->steps->items[step->from].area;
	step->old = (struct stamp){ 0 };
	step->new.mode = wanted_mode(item);
	list->of_item[step->item] = (uint32_t)list->steps->count;
	return 0;
}

static int compare_inner(const void *a, const void *b)
{
	const struct step *left = a, *right = b;
	if (left->from != right->from)
		return left->from < right->from ? -1 : 1;
	return strcmp(left->path, right->path);
}

static void sort_inner(struct steps *steps)
{
	size_t first = steps->count;
	while (first > 0 && steps->items[first - 1].kind == STEP_INNER)
		first--;
	if (steps->count - first > 1)
		qsort(steps->items + first, steps->count - first, sizeof(*steps->items), compare_inner);
}

static int add_each(struct listed_steps *list, const struct plan_order *order,
		    bool (*concerns)(const struct change *),
		    int (*act)(struct listed_steps *, const struct plan_item *))
{
	for (size_t i = 0; i < order->count; i++) {
		const struct plan_item *item = &list->plan->more[order->items[i]];
		if (concerns(item->item->change) && act(list, item) < 0)
			return -1;
	}
	return 0;
}

/* What comes along with a directory is last, since it is found by that. */
static int add_all(struct listed_steps *list)
{
	static const struct {
		enum plan_phase phase;
		bool (*concerns)(const struct change *);
		int (*act)(struct listed_steps *, const struct plan_item *);
	} rounds[] = {
		{ PLAN_MAKES_ROOM, plan_takes, add_take }, { PLAN_COMES, makes, add_new },
		{ PLAN_COMES, swaps, add_swap },	   { PLAN_COMES, sets, add_set },
		{ PLAN_GOES, plan_takes, add_take },	   { PLAN_COMES, makes, add_inner },
	};
	int result = 0;
	for (size_t i = 0; i < N_ELEMENTS(rounds) && result == 0; i++) {
		struct plan_order order = { 0 };
		result = plan_order(list->plan, rounds[i].phase, &order, list->err);
		if (result == 0)
			result = add_each(list, &order, rounds[i].concerns, rounds[i].act);
		free(order.items);
	}
	return result;
}

static int make_token(struct steps *steps)
{
	uint64_t number;
	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return -1;
	for (int i = 0; i < TOKEN_LETTERS; i++)
		steps->token[i] = "0123456789abcdef"[number >> (4 * i) & 15];
	steps->token[TOKEN_LETTERS] = '\0';
	return 0;
}

static int note_whole(struct plan *plan, struct pinfold_error *err)
{
	plan->steps->whole = calloc(plan->order->count + 1, sizeof(bool));
	if (!plan->steps->whole)
		return fault_no_memory(err);
	for (size_t i = 0; i < plan->order->count; i++)
		plan->steps->whole[i] = !plan->order->limited;
	for (size_t i = 0; i < plan->count; i++)
		if (plan->items[i].state != APPLY_READY && plan->items[i].state != APPLY_SAME)
			plan->steps->whole[plan->more[i].part] = false;
	return 0;
}

/* What the directories' times will be, where all that changed in them is applied. */
static int note_times(struct plan *plan, struct pinfold_error *err)
{
	struct steps *steps = plan->steps;
	for (size_t i = 0; i < plan->count; i++)
		if (plan->items[i].state != APPLY_READY && plan->items[i].state != APPLY_SAME)
			return 0;
	for (size_t i = 0; i < steps->touched_count; i++) {
		struct touched *touched = &steps->touched[i];
		struct stamp held;
		auto_close int fd = inside_open(steps->parts[touched->part].held_fd, touched->after, O_PATH,
						INSIDE_ONE_MOUNT);
		if (fd >= 0 && stamp_read(fd, "", &held) == 0)
			touched->mtime = held.mtime;
		else if (!is_absence(errno))
			return faultf(err, PINFOLD_E_TREE, errno, "look at a directory that changed",
				      "check the scratch directory, and apply again", "%s/%s",
				      steps->parts[touched->part].path, touched->after);
	}
	return 0;
}

int plan_list_steps(struct plan *plan, struct pinfold_error *err)
{
	struct listed_steps list = { .plan = plan, .steps = plan->steps, .err = err };
	list.of_item = calloc(plan->count + 1, sizeof(*list.of_item));
	if (!list.of_item)
		return fault_no_memory(err);
	int result = make_token(plan->steps);
	if (result < 0)
		fault(err, PINFOLD_E_SYSTEM, errno, "make a name", NULL, "try again");
	if (result == 0)
		result = add_all(&list);
	free(list.of_item);
	if (result < 0)
		return -1;
	sort_inner(plan->steps);
	if (note_whole(plan, err) < 0 || note_times(plan, err) < 0)
		return -1;
	if (areas_note(plan->steps) < 0)
		return fault(err, PINFOLD_E_TREE, errno, "prepare the changes", plan->order->parts[0].path,
			     "check that the working tree can be written, and apply again");
	return 0;
}

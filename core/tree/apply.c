/* tree/apply.c - bringing changes into the tree: look, write aside, act, and give up what went. */
#include "config.h"

#include "tree/apply.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/file_limit.h"
#include "tree/apply_plan.h"
#include "tree/remedy.h"

#include <errno.h>
#include <stdlib.h>

enum { MOST_TRIES = 8 };

static const struct {
	const char *name, *text;
} states[APPLY_STATES] = {
	[APPLY_READY] = { "ready", "can be applied" },
	[APPLY_SAME] = { "same", "the tree has it already" },
	[APPLY_CHANGED] = { "changed", "it was changed in the tree meanwhile" },
	[APPLY_REMOVED] = { "removed", "it was removed from the tree meanwhile" },
	[APPLY_TAKEN] = { "taken", "something else is there in the tree now" },
	[APPLY_UNSURE] = { "unsure", "the tree changed it while the command ran, or it cannot be told" },
	[APPLY_FULL] = { "full", "the directory holds something in the tree that is to stay" },
	[APPLY_NO_DIRECTORY] = { "no-directory", "the tree has no directory for it, or a link in its place" },
	[APPLY_FOREIGN] = { "foreign", "the tree's belongs to another user, and would not any more" },
	[APPLY_BLOCKED] = { "blocked", "it depends on something that is not applied" },
	[APPLY_RISKY] = { "risky", "it acts without having been asked for" },
	[APPLY_DECLINED] = { "declined", "it was declined" },
	[APPLY_SPECIAL] = { "special", "it is a device, a FIFO or a socket, or is hidden in the tree" },
	[APPLY_LOCK] = { "lock", "it is a lock of git's" },
	[APPLY_RESERVED] = { "reserved", "names that begin with " AREA_PREFIX " are pinfold's own" },
	[APPLY_FOLLOWED] = { "followed", "in the copy it stands for what a link leads to" },
	[APPLY_SET_ID] = { "set-id", "set-user-ID, set-group-ID and sticky bits stay as the tree has them" },
};

const char *apply_state_text(uint8_t state)
{
	return state < APPLY_STATES ? states[state].text : "";
}

const char *apply_state_name(uint8_t state)
{
	return state < APPLY_STATES ? states[state].name : "";
}

static int make_plan(struct plan *plan, struct pinfold_error *err)
{
	if (plan_begin(plan, err) < 0 || plan_check(plan, err) < 0 || plan_find_risks(plan, err) < 0)
		return -1;
	return plan_settle(plan, err);
}

static void count_states(const struct plan *plan, struct apply_result *result)
{
	result->applied = result->conflicts = result->risky = result->declined = result->never = 0;
	for (size_t i = 0; i < plan->count; i++) {
		uint8_t state = plan->items[i].state;
		result->applied += state == APPLY_READY;
		result->conflicts += apply_is_conflict(state);
		result->risky += state == APPLY_RISKY;
		result->declined += state == APPLY_DECLINED;
		result->never += apply_is_never(state);
	}
}

/* Undoes what was done and forgets the journal. `result` is passed on, unless that fails. */
static int take_back(struct steps *steps, int slot_fd, int result, struct pinfold_error *err)
{
	struct pinfold_error worse = { 0 };
	if (undo_all(steps, &worse) == 0 && journal_remove(slot_fd, &worse) == 0)
		return result;
	if (err)
		*err = worse;
	return -1;
}

/* 0: it is in the tree and valid; 1: the tree changed meanwhile, and nothing was done; -1 likewise. */
static int carry_out(struct steps *steps, int slot_fd, struct pinfold_error *err)
{
	if (journal_write(steps, slot_fd, JOURNAL_BEGUN, err) < 0)
		return take_back(steps, slot_fd, -1, err);
	if (areas_make(steps) < 0) {
		struct remedy remedy;
		fault(err, PINFOLD_E_TREE, errno, "make a directory for what is written aside",
		      steps->parts[0].path,
		      remedy_write(&remedy, "", errno, "check that the working tree can be written", ", and apply again"));
		return take_back(steps, slot_fd, -1, err);
	}
	int result = stage_all(steps, err);
	if (result == 0)
		result = journal_write(steps, slot_fd, JOURNAL_STAGED, err);
	steps->acting = result == 0;
	if (result == 0)
		result = act_all(steps, err);
	if (result == 0)
		result = journal_write(steps, slot_fd, JOURNAL_VALID, err);
	return result == 0 ? 0 : take_back(steps, slot_fd, result, err);
}

/* What was written while it was taken out is as it was; the rest is done. */
static void note_reverted(struct plan *plan)
{
	for (size_t i = 0; i < plan->steps->count; i++)
		if (plan->steps->items[i].reverted)
			plan->items[plan->steps->items[i].item].state = APPLY_CHANGED;
}

/* 0; 1: it was refused or abandoned; 2: the tree changed meanwhile, to be planned anew; -1. */
static int try_once(struct plan *plan, struct apply_result *result, struct pinfold_error *err)
{
	const struct apply_order *order = plan->order;
	count_states(plan, result);
	if (!order->partial && result->conflicts + result->risky > 0)
		return 1;
	int asked = plan_ask(plan, err);
	if (asked == 0)
		asked = plan_settle(plan, err);
	count_states(plan, result);
	if (asked != 0 || order->dry_run || result->applied == 0)
		return asked != 0 ? asked : order->dry_run;
	if (plan_list_steps(plan, err) < 0)
		return -1;
	int carried = carry_out(plan->steps, order->slot_fd, err);
	if (carried != 0)
		return carried < 0 ? -1 : 2;
	int finished = finish_all(plan->steps, err);
	note_reverted(plan);
	count_states(plan, result);
	return finished < 0 ? -1 : journal_remove(order->slot_fd, err);
}

/* A person is asked once: what was declined stays so. */
static int give_answer_again(void *context, const struct apply_item *item, struct pinfold_error *err)
{
	const struct plan *answered = context;
	(void)err;
	for (size_t i = 0; i < answered->count; i++)
		if (answered->items[i].change == item->change)
			return answered->items[i].state == APPLY_READY ? APPLY_YES : APPLY_NO;
	return APPLY_NO;
}

static int compare_items(const void *a, const void *b)
{
	const struct apply_item *left = a, *right = b;
	if ((left->risk != NULL) != (right->risk != NULL))
		return left->risk ? -1 : 1;
	if (left->part != right->part)
		return left->part < right->part ? -1 : 1;
	return left->change < right->change ? -1 : left->change > right->change;
}

static void give_result(struct plan *plan, int outcome, struct apply_result *result,
			struct apply_result *ret_result)
{
	result->items = plan->items;
	result->count = plan->count;
	result->done = outcome == 0;
	plan->items = NULL;
	if (result->count > 1)
		qsort(result->items, result->count, sizeof(*result->items), compare_items);
	*ret_result = *result;
}

static int run_once(const struct apply_order *order, struct plan *plan, struct steps *steps,
		    struct apply_result *result, struct pinfold_error *err)
{
	*steps = (struct steps){ .parts = order->parts, .part_count = order->count };
	*plan = (struct plan){ .order = order, .steps = steps };
	int outcome = make_plan(plan, err);
	return outcome < 0 ? -1 : try_once(plan, result, err);
}

static int refuse_restless(const struct apply_order *order, struct pinfold_error *err)
{
	return fault(err, PINFOLD_E_TREE, 0, "apply the changes", order->parts[0].path,
		     "the tree changes all the time: wait until nothing else works in it, and apply again");
}

/* What is risky was shown to whoever said yes, so a second look holds nothing back for that. */
static int run_all(const struct apply_order *order, struct apply_result *ret_result,
		   struct pinfold_error *err)
{
	struct plan plan, answered = { 0 };
	struct steps steps;
	struct apply_order again = *order;
	struct apply_result result = { 0 };
	int outcome = 2;
	for (int tries = 0; tries < MOST_TRIES && outcome == 2; tries++) {
		outcome = run_once(tries ? &again : order, &plan, &steps, &result, err);
		steps_release(&steps);
		if (outcome == 0 || outcome == 1)
			give_result(&plan, outcome, &result, ret_result);
		if (outcome == 2 && tries == 0 && order->ask) {
			again.ask = give_answer_again;
			again.context = &answered;
			answered = plan;
		} else {
			plan_release(&plan);
		}
	}
	plan_release(&answered);
	if (outcome == 2)
		return refuse_restless(order, err);
	return outcome < 0 ? -1 : 0;
}

int apply_run(const struct apply_order *order, struct apply_result *ret_result,
	      struct pinfold_error *err)
{
	struct file_limit limit;
	file_limit_hold(&limit);
	int result = run_all(order, ret_result, err);
	file_limit_let_go(&limit);
	return result;
}

void apply_result_release(struct apply_result *result)
{
	free(result->items);
	*result = (struct apply_result){ 0 };
}

int apply_recover(const struct apply_part *parts, size_t count, int slot_fd, struct pinfold_error *err)
{
	struct steps steps = { 0 };
	enum journal_stage stage;
	if (!apply_is_pending(slot_fd))
		return 0;
	if (journal_read(slot_fd, parts, count, &steps, &stage, err) < 0)
		return -1;
	steps.acting = stage >= JOURNAL_STAGED;
	int result = stage == JOURNAL_NONE ? 0 :
		     stage == JOURNAL_VALID ? finish_all(&steps, err) : undo_all(&steps, err);
	if (result == 0)
		result = journal_remove(slot_fd, err);
	steps_release(&steps);
	return result;
}

/* tree/apply_hold.c - what is risky is found and held back, and a person is asked. */
#include "config.h"

#include "tree/apply_plan.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/fd.h"
#include "base/path.h"
#include "tree/apply_risky.h"
#include "tree/git_changes.h"
#include "tree/inside.h"
#include "tree/listing.h"
#include "tree/pry.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { SCRIPTS_MOST = 4 << 20, WALK_DEPTH = 64 };

#define OUTSIDE "it lies outside of the working tree"

struct holding {
	struct plan *plan;
	const struct apply_item *item;
	uint32_t part;
};

static const char *risk_of_name(const struct holding *holding, const char *path, bool is_folder)
{
	const char *in_git = plan_path_in_git(holding->plan, holding->part, path);
	struct text text = { 0 };
	text_add(&text, holding->plan->git[holding->part] ? ".git/" : "");
	text_add(&text, path);
	auto_free char *whole = text_take(&text);
	const char *risk = !whole ? "memory is gone, so nothing is known of it" :
		risky_match(holding->plan->order->risky, whole, is_folder);
	if (!risk && in_git && !is_folder && git_classify(in_git) == GIT_RISKY)
		risk = "git runs it, or is told by it what to run";
	return risk;
}

static const char *risk_of_link(const struct holding *holding)
{
	const struct apply_item *item = holding->item;
	const char *slash = strrchr(item->change->path, '/');
	char target[PATH_MAX + 1];
	auto_free char *held = NULL;
	auto_free char *directory = strndup(item->change->path,
					    slash ? (size_t)(slash - item->change->path) : 0);
	auto_close int dir = directory ? inside_open(item->part->held_fd, directory, O_PATH, INSIDE_ONE_MOUNT) : -1;
	ssize_t bytes = dir < 0 ? -1 : readlinkat(dir, slash ? slash + 1 : item->change->path, target, PATH_MAX);
	if (bytes < 0)
		return "its target cannot be read";
	target[bytes] = '\0';
	/* One to the copy will be one to the tree. */
	bool inside = path_of_fd(item->part->held_fd, &held) == 0 &&
		      !risky_link_leaves(held, item->change->path, target);
	return inside || !risky_link_leaves(item->part->path, item->change->path, target) ?
		       NULL : "the link leads out of the working tree";
}

static const char *risk_of_scripts(const struct holding *holding)
{
	const struct change *change = holding->item->change;
	auto_free char *old = NULL, *new = NULL;
	size_t old_bytes = 0, new_bytes = 0;
	auto_close int before = change->before.kind == INDEX_FILE ?
					change_open_before(holding->item->part->place_fd, change) : -1;
	auto_close int after = change_open_after(holding->item->part->held_fd, change);
	if (before >= 0 && fd_read_all(before, SCRIPTS_MOST, &old, &old_bytes) < 0)
		return "its scripts cannot be read";
	if (after < 0 || fd_read_all(after, SCRIPTS_MOST, &new, &new_bytes) < 0 ||
	    !risky_scripts_are_same(old, old_bytes, new, new_bytes))
		return "its scripts changed: a package manager runs them";
	return NULL;
}

/* Of what comes with a directory that is moved as it is. */
static const char *risk_within(struct holding *holding, int fd, const char *path, unsigned depth)
{
	struct listing listing = { 0 };
	const char *risk = depth > WALK_DEPTH || listing_read(&listing, fd) < 0 ?
				   "not all of what comes with it can be looked at" : NULL;
	for (size_t i = 0; i < listing.count && !risk; i++) {
		struct stamp found;
		struct text text = { 0 };
		const char *name = listing.items[i].name;
		text_addf(&text, "%s/%s", path, name);
		auto_free char *inner = text_take(&text);
		if (!inner || stamp_read(fd, name, &found) < 0)
			continue;
		risk = risk_of_name(holding, inner, S_ISDIR(found.mode));
		auto_close int below = !risk && S_ISDIR(found.mode) ? pry_file(fd, name) : -1;
		if (below >= 0)
			risk = risk_within(holding, below, inner, depth + 1);
	}
	listing_release(&listing);
	return risk;
}

static const char *risk_of_move(struct holding *holding)
{
	const struct change *change = holding->item->change;
	auto_close int fd = pry_path(holding->item->part->held_fd, change->path);
	if (fd < 0)
		return "what comes with it cannot be looked at";
	const char *risk = risk_within(holding, fd, change->path, 0);
	if (!risk && lseek(fd, 0, SEEK_SET) == 0)
		risk = risk_within(holding, fd, change->from, 0);
	return risk;
}

static const char *risk_of(struct holding *holding)
{
	const struct change *change = holding->item->change;
	bool is_folder = change->kind == CHANGE_REMOVED ? change->before.kind == INDEX_FOLDER :
							  change->after.kind == INDEX_FOLDER;
	if (holding->item->part->elsewhere && !holding->plan->git[holding->part])
		return OUTSIDE;
	const char *risk = risk_of_name(holding, change->path, is_folder);
	if (!risk && change->from)
		risk = risk_of_name(holding, change->from, is_folder);
	if (risk || change->kind == CHANGE_REMOVED)
		return risk;
	if (risky_is_bare_repository(holding->item->part->held_fd, change->path))
		return "a bare repository: git runs what its configuration and hooks name";
	if (change->after.kind == INDEX_LINK)
		return risk_of_link(holding);
	if (change->after.kind == INDEX_FILE && risky_has_scripts(change->path))
		return risk_of_scripts(holding);
	return plan_moves(change) && is_folder ? risk_of_move(holding) : NULL;
}

/* Was it named: itself, or something risky above it? */
static bool is_named(const struct holding *holding)
{
	const struct apply_item *item = holding->item;
	const char *const *named = holding->plan->order->named;
	auto_free char *whole = path_join(item->part->path, item->change->path);
	for (; named && *named && whole; named++) {
		if (streq(*named, whole) || (*named[0] != '/' && streq(*named, item->change->path)))
			return true;
		const char *relative = *named[0] != '/' ? *named : path_below(*named, item->part->path);
		if (relative && path_is_within(item->change->path, relative) &&
		    risk_of_name(holding, relative, true))
			return true;
	}
	return false;
}

static bool is_lock(const struct holding *holding)
{
	const char *in_git = plan_path_in_git(holding->plan, holding->part, holding->item->change->path);
	return risky_is_lock(holding->item->change->path) ||
	       (in_git && git_classify(in_git) == GIT_LOCK);
}

int plan_find_risks(struct plan *plan, struct pinfold_error *err)
{
	(void)err;
	for (size_t i = 0; i < plan->count; i++) {
		struct apply_item *item = &plan->items[i];
		struct holding holding = { .plan = plan, .item = item, .part = plan->more[i].part };
		if (item->state != APPLY_READY && !apply_is_conflict(item->state))
			continue;
		if (item->change->after.kind != CHANGE_NOTHING && is_lock(&holding))
			item->state = APPLY_LOCK;
		item->risk = item->state == APPLY_LOCK ? NULL : risk_of(&holding);
		bool held = item->risk && !plan->order->allow_risky && !plan->order->ask;
		if (item->state == APPLY_READY && held && !is_named(&holding))
			item->state = APPLY_RISKY;
	}
	return 0;
}

/* How much of the path leads to the objects of a git directory that it lies in: nobody looks at them one by
 * one. 0: it is none. */
static size_t bytes_to_objects(const struct plan *plan, size_t index)
{
	static const char objects[] = "objects/";
	const char *path = plan->items[index].change->path;
	const char *in_git = plan_path_in_git(plan, plan->more[index].part, path);
	return in_git && starts_with(in_git, objects) ? (size_t)(in_git - path) + strlen(objects) : 0;
}

static bool is_asked_for(const struct apply_item *item, bool risky)
{
	return item->state == APPLY_READY && (item->risk != NULL) == risky;
}

/* Those that an answer is for: the item's own, or all objects of its git directory that follow. */
struct question {
	size_t *items, count;
};

static int make_question(const struct plan *plan, size_t index, const bool *answered, bool risky,
			 struct question *ret_question)
{
	size_t bytes = bytes_to_objects(plan, index), count = 0;
	const char *path = plan->items[index].change->path;
	ret_question->items = reallocarray(ret_question->items, plan->count, sizeof(*ret_question->items));
	if (!ret_question->items)
		return -1;
	ret_question->items[count++] = index;
	for (size_t i = index + 1; bytes && i < plan->count && plan->more[i].part == plan->more[index].part; i++)
		if (!answered[i] && is_asked_for(&plan->items[i], risky) && bytes_to_objects(plan, i) == bytes &&
		    memcmp(plan->items[i].change->path, path, bytes) == 0)
			ret_question->items[count++] = i;
	ret_question->count = count;
	return 0;
}

static int ask_one(struct plan *plan, const struct question *question, int *answer, bool risky,
		   struct pinfold_error *err)
{
	const struct apply_order *order = plan->order;
	struct apply_item *item = &plan->items[question->items[0]];
	item->further = (uint32_t)(question->count - 1);
	if (*answer == APPLY_NO || *answer == APPLY_YES || (risky && *answer == APPLY_YES_TO_ALL))
		*answer = order->ask(order->context, item, err);
	if (*answer < 0 || *answer == APPLY_ABANDON)
		return *answer < 0 ? -1 : 1;
	for (size_t i = 0; i < question->count; i++)
		if (*answer == APPLY_NO || *answer == APPLY_NO_TO_ALL)
			plan->items[question->items[i]].state = APPLY_DECLINED;
	return 0;
}

/* The risky ones in the first round. 0; 1: abandoned; -1. */
static int ask_round(struct plan *plan, bool risky, int *answer, struct pinfold_error *err)
{
	auto_free bool *answered = calloc(plan->count + 1, sizeof(*answered));
	struct question question = { 0 };
	int result = answered ? 0 : fault_no_memory(err);
	for (size_t i = 0; i < plan->count && result == 0; i++) {
		if (answered[i] || !is_asked_for(&plan->items[i], risky))
			continue;
		result = make_question(plan, i, answered, risky, &question) < 0 ? fault_no_memory(err) :
			 ask_one(plan, &question, answer, risky, err);
		for (size_t j = 0; j < question.count; j++)
			answered[question.items[j]] = true;
	}
	free(question.items);
	return result;
}

int plan_ask(struct plan *plan, struct pinfold_error *err)
{
	int answer = APPLY_NO;
	if (!plan->order->ask)
		return 0;
	int result = ask_round(plan, true, &answer, err);
	return result == 0 ? ask_round(plan, false, &answer, err) : result;
}

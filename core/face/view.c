/* face/view.c - the first view of the preference that can be had here. */
#include "config.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fault.h"
#include "base/text.h"
#include "config/scope.h"
#include "face/face.h"
#include "face/views.h"
#include "tree/copies.h"
#include "tree/hidden.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* The tree itself: needs no plugin, and keeps nothing. */
static const char direct[] = "direct";

bool view_is_direct(const struct pinfold_run *run)
{
	return streq(run->view_name, direct);
}

static void show_tree(struct pinfold_run *run)
{
	const struct directory *tree = &run->directory;
	run->shown = (struct pinfold_shown){
		.size = sizeof(run->shown),
		.kind = PINFOLD_SHOW_DIRECTORY,
		.tree = tree->path, .tree_device = tree->device, .tree_inode = tree->inode,
		.source = tree->path, .source_device = tree->device, .source_inode = tree->inode,
		.directory = tree->path,
	};
}

/* Temporary files have a place of their own, also where the tree itself is shown. */
static int open_place(struct pinfold_run *run, struct pinfold_error *err)
{
	struct stat about;
	run->view.host = registry_host(run->pinfold->registry, NULL);
	if (!run->view.host)
		return fault_no_memory(err);
	if (copies_place(run->view.host, run->directory.path, &run->view.place, err) < 0)
		return -1;
	const char *temporary = copies_trees.temporary(run->view.place);
	if (lstat(temporary, &about) < 0)
		return fault(err, PINFOLD_E_SYSTEM, errno, "look at the temporary directory",
			     temporary, "check the scratch directory");
	run->shown.temporary = temporary;
	run->shown.temporary_device = about.st_dev;
	run->shown.temporary_inode = about.st_ino;
	return 0;
}

static int check_direct(const struct pinfold_run *run, struct pinfold_error *err)
{
	if (run->command.session)
		return fault(err, PINFOLD_E_SESSION, 0, "show the tree itself", run->command.session,
			     "a session needs a view that keeps changes, such as `copy`: leave out "
			     "--session or the view `direct`");
	if (run->policy->require & PINFOLD_BIT(FILESYSTEM))
		return fault(err, PINFOLD_E_SANDBOX_DENIED, 0, "show the tree itself",
			     "the promise `filesystem` is required",
			     "use the view `copy`, or take `filesystem` out of [pinfold] require");
	return 0;
}

static int open_direct(struct pinfold_run *run, struct pinfold_error *err)
{
	return check_direct(run, err) < 0 ? -1 : open_place(run, err);
}

static int call_open(struct pinfold_run *run, const char *name, struct pinfold_error *err)
{
	struct opened_view *open = &run->view;
	const struct pinfold_offer *offer = &run->choice.offer->offer;
	run->work = (struct pinfold_work){ .size = sizeof(run->work) };
	run->shown.session = run->command.session != NULL;
	if (open->view->open(open->host, run->directory.path, run->command.session,
			     run->choice.offer->arm->placing, offer->kept, &open->state, err) == 0)
		return 0;
	open->view = NULL;
	return registry_blame(err, name, "open");
}

static int call_sync(struct pinfold_run *run, const char *name, struct pinfold_error *err)
{
	struct opened_view *open = &run->view;
	if (open->view->sync(open->host, open->state, &run->shown, &run->work, err) < 0)
		return registry_blame(err, name, "sync");
	return 0;
}

static int in_turn(struct pinfold_run *run, const char *name, struct pinfold_error *err,
		   int (*call)(struct pinfold_run *, const char *, struct pinfold_error *))
{
	const struct pinfold_view *view = run->view.view;
	turn_take(run->pinfold->registry, view);
	int result = call(run, name, err);
	turn_end(run->pinfold->registry, view);
	return result;
}

static int call_show(struct pinfold_run *run, const char *name, struct pinfold_error *err)
{
	(void)name;
	(void)err;
	return run->view.view->show(run->view.host, run->view.state, &run->shown);
}

/* A session's layers, and those that a wrapper asks for, are known later. */
static void prepare_early(struct pinfold_run *run)
{
	if (!run->command.session && !wrapping_is_asked(run) && PINFOLD_HAS(run->view.view, show) &&
	    in_turn(run, NULL, NULL, call_show) == 0)
		confine_prepare_early(run);
}

/* What was prepared for is what is shown. */
static int check_shown(const struct pinfold_run *run, const struct pinfold_shown *early, struct pinfold_error *err)
{
	const struct pinfold_shown *now = &run->shown;
	if (!run->arm.early ||
	    (now->kind == early->kind && now->source_device == early->source_device &&
	     now->source_inode == early->source_inode && now->temporary_device == early->temporary_device &&
	     now->temporary_inode == early->temporary_inode))
		return 0;
	return fault(err, PINFOLD_E_TREE, ESTALE, "show the working tree", now->source,
		     "its copy was replaced while it was brought up to date: try again");
}

static int sync_view(struct pinfold_run *run, const char *name, struct pinfold_error *err)
{
	if (in_turn(run, name, err, call_open) < 0)
		return -1;
	prepare_early(run);
	struct pinfold_shown early = run->shown;
	if (in_turn(run, name, err, call_sync) < 0)
		return -1;
	return check_shown(run, &early, err);
}

static int tell_hidden(struct pinfold_run *run, struct pinfold_scope *scope)
{
	struct hidden hidden;
	if (hidden_of(run->policy, &hidden) < 0)
		return -1;
	scope->hidden = hidden.paths;
	scope->hidden_count = hidden.count;
	return 0;
}

static int open_plugin_view(struct pinfold_run *run, const char *name, struct pinfold_error *err)
{
	struct registry *registry = run->pinfold->registry;
	char section[80];
	snprintf(section, sizeof(section), "view:%s", name);
	if (registry_view(registry, name, &run->view.view, err) < 0)
		return -1;
	if (!(run->view.host = registry_host(registry, section)))
		return fault_no_memory(err);
	run->view.host->scope->copying = run->command.copying;
	run->view.host->scope->copying_context = run->command.context;
	if (tell_hidden(run, run->view.host->scope) < 0)
		return fault_no_memory(err);
	return sync_view(run, name, err);
}

static int open_named(struct pinfold_run *run, const char *name, struct pinfold_error *err)
{
	show_tree(run);
	run->view_name = name;
	int result = streq(name, direct) ? open_direct(run, err) : open_plugin_view(run, name, err);
	if (result < 0 && run->arm.early)
		confine_give_up(run);
	if (result < 0)
		view_close(run, PINFOLD_COPY_KEEP);
	return result;
}

int view_imagine(struct pinfold_run *run, struct pinfold_error *err)
{
	const struct list *names = config_list(run->pinfold->config, "pinfold", "view");
	show_tree(run);
	run->view_name = direct;
	if (!run->choice.offer)
		return 0;
	if (names->count > 0)
		run->view_name = names->items[0];
	if (view_is_direct(run))
		return open_direct(run, err);
	if (open_place(run, err) < 0)
		return -1;
	run->shown.layers = copies_trees.layers(run->view.place);
	run->shown.imagined = 1;
	return 0;
}

int view_stay(struct pinfold_run *run, struct pinfold_error *err)
{
	show_tree(run);
	run->view_name = direct;
	return check_direct(run, err);
}

/* As open_named; another command of the session is waited for. */
static int open_in_turn(struct pinfold_run *run, const char *name, struct pinfold_error *err)
{
	uint64_t began = clock_nanoseconds();
	for (bool waited = false;; waited = true) {
		struct pinfold_error why = { 0 };
		int result = open_named(run, name, &why);
		if (waited)
			run->times.waited = clock_nanoseconds() - began - run->work.nanoseconds;
		if (result < 0 && why.code == PINFOLD_E_BUSY && run->command.session) {
			if (session_wait(run, began, err) < 0)
				return -1;
			continue;
		}
		if (result < 0)
			*err = why;
		return result;
	}
}

/* A session is of the view that it began with: that another cannot open it is no news, and no reason. */
static bool is_anothers(const struct pinfold_run *run, const struct pinfold_error *why)
{
	return run->command.session && why->code == PINFOLD_E_SESSION;
}

/* Waiting that was given up holds for every view. */
static bool is_last_word(const struct pinfold_error *why)
{
	return why->code == PINFOLD_E_TIMED_OUT || why->code == PINFOLD_E_BUSY || why->sys == ECANCELED;
}

/* Told is why the first one of the preference cannot be had, and then the last. */
static int refuse_all(const struct pinfold_error *first, const char *name, const struct pinfold_error *last,
		      struct pinfold_error *err)
{
	struct text recovery = { 0 };
	text_add(&recovery, first->recovery);
	if (!streq(first->recovery, last->recovery))
		text_addf(&recovery, "; or %s", last->recovery);
	auto_free char *what = text_take(&recovery);
	return faultf(err, first->code, first->sys, first->action, what, "%s; and the view %s: cannot %s: %s",
		      first->subject, name, last->action, last->subject);
}

/* What came of the views before one. */
struct views_tried {
	struct pinfold_error first;	/* why the first of them cannot be had */
	const char *remembered;	/* the last that was passed over for what is remembered of it; NULL: none */
};

/* What a view's own refusal is worth beside the one before it. */
static int refuse_last(const struct pinfold_run *run, const struct pinfold_error *first, const char *name,
		       const struct pinfold_error *why, struct pinfold_error *err)
{
	if (first->code && !is_anothers(run, why))
		return refuse_all(first, name, why, err);
	*err = first->code && is_anothers(run, why) ? *first : *why;
	return -1;
}

/* What is remembered of a view passes it over only while another can be had: then it is tried, and says what
 * is so now. 1: open; -1. */
static int open_remembered(struct pinfold_run *run, const char *name, const struct pinfold_error *last,
			   const char *last_name, struct pinfold_error *err)
{
	struct pinfold_error why = { 0 };
	if (open_in_turn(run, name, &why) == 0) {
		free(run->passed_over.items[--run->passed_over.count]);
		run->passed_over.items[run->passed_over.count] = NULL;
		return 1;
	}
	if (is_last_word(&why)) {
		*err = why;
		return -1;
	}
	return refuse_all(&why, last_name, last, err);
}

/* 1: open; 0: passed over. */
static int open_next(struct pinfold_run *run, const struct list *names, size_t index,
		     struct views_tried *tried, struct pinfold_error *err)
{
	const char *name = names->items[index];
	bool last = index + 1 == names->count;
	struct pinfold_error why = { 0 }, *first = &tried->first;
	if (!last && !run->command.session && passed_recall(run, name)) {
		tried->remembered = name;
		return 0;
	}
	if (open_in_turn(run, name, &why) == 0)
		return 1;
	if (is_last_word(&why)) {
		*err = why;
		return -1;
	}
	if (last && tried->remembered && !first->code)
		return open_remembered(run, tried->remembered, &why, name, err);
	if (last)
		return refuse_last(run, first, name, &why, err);
	if (!first->code || is_anothers(run, first))
		*first = why;
	return is_anothers(run, &why) ? 0 : passed_note(run, name, &why, err);
}

static int open_preferred(struct pinfold_run *run, const struct list *names, struct pinfold_error *err)
{
	struct views_tried tried = { 0 };
	int result = 0;
	for (size_t i = 0; result == 0 && i < names->count; i++)
		result = open_next(run, names, i, &tried, err);
	if (result != 0)
		return result < 0 ? -1 : 0;
	return fault(err, PINFOLD_E_CONFIG, 0, "show the working tree", "[pinfold] view is empty",
		     "name a view, such as: view = copy");
}

int view_open(struct pinfold_run *run, struct pinfold_error *err)
{
	if (run->choice.offer)
		return open_preferred(run, config_list(run->pinfold->config, "pinfold", "view"), err);
	show_tree(run);
	run->view_name = direct;
	return 0;
}

void view_close(struct pinfold_run *run, enum pinfold_keep keep)
{
	struct opened_view *open = &run->view;
	turn_take(run->pinfold->registry, open->view);
	if (open->view)
		open->view->close(open->host, open->state, keep);
	turn_end(run->pinfold->registry, open->view);
	copies_trees.close(open->place, PINFOLD_COPY_RETIRE);
	registry_host_free(open->host);
	*open = (struct opened_view){ 0 };
}

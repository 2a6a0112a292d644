/* tree/copies.c - kept copies of working trees: the table that is handed to views. */
#include "config.h"

#include "tree/copies.h"
#include "tree/beside.h"
#include "tree/bond.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"
#include "config/scope.h"
#include "tree/elsewhere.h"
#include "tree/folder.h"
#include "tree/refresh.h"
#include "tree/pending.h"
#include "tree/put_back.h"
#include "tree/remedy.h"
#include "tree/scratch.h"
#include "tree/untouched.h"

#include <errno.h>
#include <fcntl.h>
#include <pinfold/plugin.h>
#include <stdio.h>

struct pinfold_copy {
	char *tree, *root, *directory, *temporary;
	char *upper, *workplace, *layers, *beside;	/* the first two NULL for a copy */
	int tree_fd, root_fd;
	struct trash trash;
	struct slot slot;
	struct pinfold_budget budget;
	const struct config *config;
	const struct pinfold_scope *scope;
	struct mirror_work work;
	unsigned kept;
	uint64_t entries;
	bool synced;
};

static void copy_free(struct pinfold_copy *copy)
{
	if (!copy)
		return;
	mirror_work_release(&copy->work);
	cleanup_fd(&copy->tree_fd);
	cleanup_fd(&copy->root_fd);
	free(copy->tree);
	free(copy->root);
	char *texts[] = { copy->directory, copy->temporary, copy->upper, copy->workplace, copy->layers, copy->beside };
	for (size_t i = 0; i < N_ELEMENTS(texts); i++)
		free(texts[i]);
	free(copy);
}

static int open_tree(struct pinfold_copy *copy, const char *tree, struct pinfold_error *err)
{
	copy->tree = strdup(tree);
	if (!copy->tree)
		return fault_no_memory(err);
	copy->tree_fd = open(tree, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (copy->tree_fd < 0)
		return fault(err, PINFOLD_E_TREE, errno, "open the working tree", tree,
			     "check that the directory is there and that you may enter it");
	if (entry_is_pseudo(copy->tree_fd))
		return fault(err, PINFOLD_E_TREE, 0, "copy the working tree", tree,
			     "this is a file system of the kernel's own: run in a directory of files");
	return 0;
}

static char *name_inside(const struct pinfold_copy *copy, const char *name)
{
	struct text path = { 0 };
	text_addf(&path, "%s/%s/%s", copy->root, copy->slot.place, name);
	return text_take(&path);
}

static int name_contents(struct pinfold_copy *copy, struct pinfold_error *err)
{
	bool layer = copy->slot.kind == HOME_LAYERS;
	copy->directory = layer ? strdup(copy->tree) : name_inside(copy, "tree");
	copy->temporary = name_inside(copy, "tmp");
	copy->layers = name_inside(copy, "layers");
	copy->beside = name_inside(copy, BESIDE_DIRECTORY);
	copy->upper = layer ? name_inside(copy, "upper") : NULL;
	copy->workplace = layer ? name_inside(copy, "work") : NULL;
	bool complete = copy->directory && copy->temporary && copy->layers && copy->beside &&
			(!layer || (copy->upper && copy->workplace));
	return complete ? 0 : fault_no_memory(err);
}

/* What a discard that was cut off had begun with is brought to its end before a command works there. */
static int take_slot(struct pinfold_copy *copy, const struct slot_order *order, struct pinfold_error *err)
{
	struct kept *kept;
	for (;;) {
		if (slot_take(&copy->trash, order, &copy->slot, err) < 0)
			return -1;
		if (!order->session || !put_back_is_pending(copy->slot.dir))
			return 0;
		slot_let_go(&copy->slot);
		if (kept_open_alone(copy->config, order->tree, order->session, &kept, err) < 0)
			return -1;
		kept_close(kept);
	}
}

static int open_slot(struct pinfold_copy *copy, const struct slot_order *order, struct pinfold_error *err)
{
	if (take_slot(copy, order, err) < 0 || name_contents(copy, err) < 0)
		return -1;
	if (path_is_within(copy->temporary, copy->tree) && path_is_within(copy->tree, copy->root))
		return fault(err, PINFOLD_E_TREE, 0, "copy the working tree", copy->tree,
			     "this is where pinfold keeps its copies: run it in another directory");
	return 0;
}

/* The first copy is kept whatever its size; more of them serve runs side by side, and must not fill
 * the disk with a large tree. */
enum { SMALL_ENTRIES = 10000 };

static bool may_stay(const struct pinfold_copy *copy)
{
	if (copy->slot.session)
		return copy->synced || !copy->slot.fresh;
	return copy->synced && copy->slot.number < copy->kept &&
	       (copy->slot.number == 0 || copy->entries <= SMALL_ENTRIES);
}

/* What layers touched is known from here on. Where that fails, the session's next command tries again. */
static void settle(struct pinfold_copy *copy)
{
	struct slot *slot = &copy->slot;
	bool settled = refresh_layers(slot, copy->tree, slot_time(slot), NULL) == 0;
	if (slot->session && slot->left == SLOT_RUNNING && settled)
		slot_enter(slot, SLOT_AT_REST);
}

/* What a session's commands changed stays also where something could still be changing it. */
static void copies_close(struct pinfold_copy *copy, uint32_t keep)
{
	if (!copy)
		return;
	bool stays = (keep != PINFOLD_COPY_RETIRE || copy->slot.session) && may_stay(copy);
	if (stays)
		settle(copy);
	if (stays && keep == PINFOLD_COPY_UNTOUCHED && copy->slot.kind == HOME_COPIES && !copy->slot.session)
		untouched_mark(copy->slot.dir);
	slot_leave(&copy->slot, &copy->trash, copy->tree, stays);
	if (copy->trash.used)
		discard_empty(&copy->trash);
	copy_free(copy);
}

static int open_kind(const struct pinfold_host *host, const struct slot_order *order,
		     const struct pinfold_budget *budget, struct pinfold_copy **ret_copy,
		     struct pinfold_error *err)
{
	const struct config *config = host->scope->config;
	struct pinfold_copy *copy = calloc(1, sizeof(*copy));
	if (!copy)
		return fault_no_memory(err);
	copy->tree_fd = copy->root_fd = copy->trash.root = -1;
	copy->slot = (struct slot)SLOT_NONE;
	copy->kept = (unsigned)config_number(config, "copy", "kept");
	if (open_tree(copy, order->tree, err) < 0 ||
	    scratch_open(config, &copy->root, &copy->root_fd, err) < 0) {
		copies_close(copy, PINFOLD_COPY_RETIRE);
		return -1;
	}
	copy->trash.root = copy->root_fd;
	copy->config = config;
	copy->scope = host->scope;
	if (pending_recover(config, copy->root_fd, order->tree, err) < 0) {
		copies_close(copy, PINFOLD_COPY_RETIRE);
		return -1;
	}
	if (budget)
		copy->budget = *budget;
	if (open_slot(copy, order, err) < 0) {
		copies_close(copy, PINFOLD_COPY_RETIRE);
		return -1;
	}
	*ret_copy = copy;
	return 0;
}

static enum home_kind kind_of(uint32_t follow)
{
	return follow == PINFOLD_FOLLOW_ALL ? HOME_FOLLOWED :
	       follow == PINFOLD_FOLLOW_INSIDE ? HOME_MOVED : HOME_COPIES;
}

static int copies_open(const struct pinfold_host *host, const char *tree, uint32_t follow_out,
		       const struct pinfold_budget *budget, struct pinfold_copy **ret_copy,
		       struct pinfold_error *err)
{
	struct slot_order order = {
		.tree = tree, .kind = kind_of(follow_out),
	};
	return open_kind(host, &order, budget, ret_copy, err);
}

static int copies_open_place(const struct pinfold_host *host, const char *tree,
			     const struct pinfold_place_order *given, struct pinfold_copy **ret_copy,
			     struct pinfold_error *err)
{
	if (given->session && !slot_session_is_name(given->session))
		return slot_refuse_name(given->session, err);
	struct slot_order order = {
		.tree = tree, .session = given->session,
		.kind = given->layer ? HOME_LAYERS : kind_of(given->follow_out),
	};
	return open_kind(host, &order, given->budget, ret_copy, err);
}

int copies_place(const struct pinfold_host *host, const char *tree, struct pinfold_copy **ret_copy,
		 struct pinfold_error *err)
{
	struct pinfold_copy *copy;
	struct slot_order order = { .tree = tree, .kind = HOME_NOTHING };
	if (open_kind(host, &order, NULL, &copy, err) < 0)
		return -1;
	/* With an index, if an empty one, it is kept like a copy. */
	int index = copy->slot.fresh ? openat(copy->slot.dir, SLOT_INDEX_HELD,
					      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;
	copy->synced = !copy->slot.fresh || index >= 0;
	cleanup_fd(&index);
	*ret_copy = copy;
	return 0;
}

/* A copy that is no session's, or that no command has seen, is not left half made. */
static void give_up(struct pinfold_copy *copy)
{
	copy->synced = false;
	slot_leave(&copy->slot, &copy->trash, copy->tree, may_stay(copy));
	discard_empty(&copy->trash);
}

/* Nothing has to be copied: what is there is what the session's commands left. */
static int sync_layer(struct pinfold_copy *copy, struct pinfold_work *ret_work,
		      struct pinfold_error *err)
{
	struct slot *slot = &copy->slot;
	if (slot->session && bond_is_broken_by(slot->dir, SLOT_INDEX, copy->tree_fd))
		return bond_refuse("go on in a session", copy->tree, slot_session(slot), err);
	if (slot->left == SLOT_RUNNING && refresh_layers(slot, copy->tree, slot->left_at, err) < 0)
		return -1;
	*ret_work = (struct pinfold_work){ .size = sizeof(*ret_work), .fresh = copy->slot.fresh };
	copy->synced = true;
	copy->slot.fresh = false;
	return 0;
}

/* From here on a command may be running. */
static int begin_run(struct pinfold_copy *copy, struct pinfold_error *err)
{
	if (!copy->slot.session || slot_enter(&copy->slot, SLOT_RUNNING) == 0)
		return 0;
	struct remedy remedy;
	return fault(err, PINFOLD_E_TREE, errno, "write down that a command runs", copy->root,
		     remedy_in(&remedy, copy->slot.dir, "", errno,
			       "check the scratch directory, or name another with [filesystem] scratch", ""));
}

static int sync_copy(struct pinfold_copy *copy, struct pinfold_work *ret_work,
		     struct pinfold_error *err)
{
	uint64_t began = clock_nanoseconds();
	struct mirror_work work = { 0 };
	struct refresh_order order = {
		.config = copy->config, .budget = &copy->budget, .tree = copy->tree, .root = copy->root,
		.copy = copy->directory, .tree_fd = copy->tree_fd, .trash = &copy->trash,
		.slot = &copy->slot,
		.hidden = { copy->scope->hidden, copy->slot.kind == HOME_MOVED ? copy->scope->hidden_count : 0 },
		.copying = copy->scope->copying, .context = copy->scope->copying_context,
	};
	if (refresh_copy(&order, &work, err) < 0) {
		give_up(copy);
		return -1;
	}
	mirror_work_release(&copy->work);
	copy->work = work;
	*ret_work = (struct pinfold_work){
		.size = sizeof(*ret_work),
		.fresh = copy->slot.fresh,
		.walked = work.walked,
		.created = work.created,
		.rewritten = work.rewritten,
		.removed = work.removed,
		.bytes = work.bytes,
		.cloned = work.cloned,
		.ranged = work.ranged,
		.plain = work.plain,
		.skipped = work.skipped,
		.skipped_names = work.skipped ? (const char *const *)copy->work.skipped_names : NULL,
		.nanoseconds = clock_nanoseconds() - began,
	};
	copy->entries = copy->slot.fresh ? work.walked : work.walked / 2;	/* of both sides */
	copy->synced = true;
	copy->slot.fresh = false;
	return 0;
}

/* A view that was built with fewer members has room for those. */
static void give_work(const struct pinfold_work *work, struct pinfold_work *ret_work)
{
	size_t least = offsetof(struct pinfold_work, cloned), room = ret_work->size;
	uint32_t size = (uint32_t)(room < least ? least : room < sizeof(*work) ? room : sizeof(*work));
	memcpy(ret_work, work, size);
	ret_work->size = size;
}

static int copies_sync(struct pinfold_copy *copy, struct pinfold_work *ret_work,
		       struct pinfold_error *err)
{
	struct pinfold_work work = { 0 };
	bool layer = copy->slot.kind == HOME_LAYERS;
	if ((layer ? sync_layer(copy, &work, err) : sync_copy(copy, &work, err)) < 0)
		return -1;
	if (begin_run(copy, err) < 0)
		return -1;
	give_work(&work, ret_work);
	return 0;
}

static const char *copies_directory(const struct pinfold_copy *copy)
{
	return copy->directory;
}

static const char *copies_temporary(const struct pinfold_copy *copy)
{
	return copy->temporary;
}

static const char *copies_upper(const struct pinfold_copy *copy)
{
	return copy->upper;
}

static const char *copies_work(const struct pinfold_copy *copy)
{
	return copy->workplace;
}

static const char *copies_layers(const struct pinfold_copy *copy)
{
	return copy->layers;
}

static const char *copies_beside(const struct pinfold_copy *copy)
{
	return copy->beside;
}

const struct pinfold_trees copies_trees = {
	.size = sizeof(copies_trees),
	.open = copies_open,
	.sync = copies_sync,
	.directory = copies_directory,
	.temporary = copies_temporary,
	.close = copies_close,
	.open_place = copies_open_place,
	.upper = copies_upper,
	.work = copies_work,
	.layers = copies_layers,
	.layer = elsewhere_find,
	.beside = copies_beside,
};

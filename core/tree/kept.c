/* tree/kept.c - what the last run in a tree, or a session, has left. */
#include "config.h"

#include "tree/kept.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/text.h"
#include "policy/git_find.h"
#include "tree/apply.h"
#include "tree/beside.h"
#include "tree/changes.h"
#include "tree/elsewhere.h"
#include "tree/follow.h"
#include "tree/holder.h"
#include "tree/inside.h"
#include "tree/pending.h"
#include "tree/put_back.h"
#include "tree/refresh.h"
#include "tree/remedy.h"
#include "tree/scratch.h"
#include "tree/youngest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

static void release_part(struct kept_part *part)
{
	free(part->path);
	cleanup_fd(&part->place_fd);
	cleanup_fd(&part->held_fd);
	cleanup_fd(&part->slot_fd);
	index_release(&part->base);
}

void kept_close(struct kept *kept)
{
	if (!kept)
		return;
	for (size_t i = 0; i < kept->count; i++)
		release_part(&kept->parts[i]);
	free(kept->parts);
	slot_let_go(&kept->slot);
	if (kept->trash.used)
		discard_empty(&kept->trash);
	cleanup_fd(&kept->root_fd);
	free(kept->root);
	free(kept->tree);
	free(kept->session);
	free(kept);
}

static const char *subject_of(const struct kept *kept)
{
	return kept->session ? kept->session : kept->tree;
}

static int refuse_in(const struct kept *kept, int place, int sys, struct pinfold_error *err)
{
	struct remedy remedy;
	return fault(err, PINFOLD_E_TREE, sys, "open what a command changed", subject_of(kept),
		     remedy_in(&remedy, place, "", sys, "check the scratch directory ([filesystem] scratch)",
			       ", or drop what is there: pinfold discard"));
}

static int refuse(const struct kept *kept, int sys, struct pinfold_error *err)
{
	return refuse_in(kept, kept->slot.dir, sys, err);
}

/* Where the slot at `place` cannot be taken. */
static int refuse_place(const struct kept *kept, const char *place, int sys, struct pinfold_error *err)
{
	auto_close int dir = inside_open(kept->root_fd, place, O_PATH, INSIDE_ONE_MOUNT);
	return refuse_in(kept, dir, sys, err);
}

static int refuse_none(const struct kept *kept, struct pinfold_error *err)
{
	if (kept->session)
		return fault(err, PINFOLD_E_SESSION, 0, "find the session in this tree", kept->session,
			     "pinfold sessions lists those that there are");
	return fault(err, PINFOLD_E_SESSION, 0, "find what the last run changed", kept->tree,
		     "run a command in this tree first, or name a session with --session");
}

static int refuse_busy(const struct kept *kept, const char *place, struct pinfold_error *err)
{
	auto_free char *holder = holder_of(kept->root_fd, place);
	return faultf(err, PINFOLD_E_BUSY, 0, "open what a command changed",
		      "wait until that has ended, or end it", "%s: %s works in it", subject_of(kept),
		      holder ? holder : "another command");
}

static void name_session(const struct kept *kept, char *place)
{
	char home[HOME_ROOM];
	home_name(kept->tree, HOME_COPIES, home);
	snprintf(place, SLOT_ROOM, "%s/=%s", home, kept->session);
}

/* Of a session the slot itself tells the kind, of a number the home that it lies in. */
static int open_slot(struct kept *kept, struct pinfold_error *err)
{
	char place[SLOT_ROOM], home[HOME_ROOM];
	enum home_kind kind = HOME_COPIES;
	if (kept->session)
		name_session(kept, place);
	else
		youngest_find(kept->root_fd, kept->tree, place, &kind);
	int result = place[0] ? slot_open(kept->root_fd, place, &kept->slot) : -1;
	if (result == 0)
		return refuse_busy(kept, place, err);
	int failure = result < 0 && place[0] ? errno : ENOENT;
	if (result < 0 && place[0] && slot_clear(&kept->trash, place))
		failure = ENOENT;
	if (result < 0)
		return failure == ENOENT || failure == EAGAIN ? refuse_none(kept, err) :
								refuse_place(kept, place, failure, err);
	if (!kept->session && kept->slot.kind != HOME_KINDS)
		kept->slot.kind = kind;
	home_name(kept->tree, kept->session ? HOME_COPIES : kind, home);
	if (home_is_of(kept->root_fd, home, kept->tree) == 0)
		return refuse_none(kept, err);
	kept->follow_out = kept->slot.kind == HOME_FOLLOWED;
	return 0;
}

/* A part that begins without descriptors. */
static struct kept_part *add_part(struct kept *kept)
{
	struct kept_part *parts = realloc(kept->parts, (kept->count + 1) * sizeof(*parts));
	if (!parts)
		return NULL;
	kept->parts = parts;
	parts[kept->count] = (struct kept_part){ .place_fd = -1, .held_fd = -1, .slot_fd = -1 };
	return &parts[kept->count++];
}

/* Takes the path and the slot's descriptor. */
static int fill_part(struct kept_part *part, char *path, int slot_fd, bool layer)
{
	part->path = path;
	part->slot_fd = slot_fd;
	part->layer = layer;
	if (!path || slot_fd < 0)
		return -1;
	part->place_fd = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	part->held_fd = inside_open(slot_fd, layer ? "upper" : "tree", O_PATH, INSIDE_ONE_MOUNT);
	if (part->held_fd < 0)
		return -1;
	return index_load_any(slot_fd, SLOT_INDEX, &part->base);
}

static int open_tree_part(struct kept *kept, struct pinfold_error *err)
{
	struct kept_part *part = add_part(kept);
	if (!part)
		return fault_no_memory(err);
	int dir = inside_open(kept->slot.dir, "", O_PATH, INSIDE_ONE_MOUNT);
	if (fill_part(part, strdup(kept->tree), dir, kept->slot.kind == HOME_LAYERS) < 0)
		return refuse(kept, errno, err);
	/* Whether a killed run had come as far as its command is known of sessions only. */
	if (!part->layer && !part->base.memory && !kept->session)
		return refuse_none(kept, err);
	return 0;
}

/* Layers over other places, or copies of others. */
static int open_other_parts(struct kept *kept, bool layers, struct pinfold_error *err)
{
	const char *whole = layers ? "upper" : SLOT_INDEX;
	auto_close int fd = inside_open(kept->slot.dir, layers ? "layers" : BESIDE_DIRECTORY, O_PATH,
					INSIDE_ONE_MOUNT);
	if (fd < 0)
		return errno == ENOENT ? 0 : refuse(kept, errno, err);
	for (unsigned number = 0;; number++) {
		char name[16];
		auto_free char *path = elsewhere_path(fd, number);
		if (!path)
			return errno == ENOENT ? 0 : refuse(kept, errno, err);
		snprintf(name, sizeof(name), "%u", number);
		auto_close int dir = inside_open(fd, name, O_PATH, INSIDE_ONE_MOUNT);
		if (dir < 0 || faccessat(dir, whole, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		struct kept_part *part = add_part(kept);
		if (!part)
			return fault_no_memory(err);
		if (fill_part(part, take_pointer(&path), take_fd(&dir), layers) < 0)
			return refuse(kept, errno, err);
	}
}

/* What was run in already is kept whatever its size: a budget is for what a run is to begin with, and a
 * refusal here would make what a person wants to look at or to take unreachable. */
static const struct pinfold_budget no_limits = {
	.size = sizeof(no_limits), .max_files = UINT64_MAX, .max_bytes = UINT64_MAX, .max_depth = UINT32_MAX,
};

/* What was left out for the command is left out now. */
static int find_hidden(const struct kept *kept, struct policy **ret_policy, struct hidden *ret_hidden,
		       struct pinfold_error *err)
{
	struct mirror_order order = { .config = kept->config, .tree = kept->tree, .scratch = kept->root };
	if (follow_policy(&order, ret_policy, err) < 0)
		return -1;
	return hidden_of(*ret_policy, ret_hidden) < 0 ? fault_no_memory(err) : 0;
}

/* Its index is held afterwards. `keep`: what was changed in it stays. */
static int sync_copy(struct kept *kept, bool keep, struct pinfold_error *err)
{
	struct slot *slot = &kept->slot;
	struct mirror_work work = { 0 };
	auto_close int tree_fd = open(kept->tree, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	auto_free char *copy = NULL;
	if (slot->tree < 0)
		slot->tree = inside_open(slot->dir, "tree", O_PATH, INSIDE_ONE_MOUNT);
	if (tree_fd < 0 || slot->tree < 0 ||
	    (renameat(slot->dir, SLOT_INDEX, slot->dir, SLOT_INDEX_HELD) < 0 && errno != ENOENT) ||
	    (!keep && unlinkat(slot->dir, SLOT_DROPPING, 0) < 0 && errno != ENOENT))
		return refuse(kept, errno, err);
	if (asprintf(&copy, "%s/%s/tree", kept->root, slot->place) < 0)
		return fault_no_memory(err);
	struct refresh_order order = {
		.config = kept->config, .tree = kept->tree, .root = kept->root, .copy = copy,
		.tree_fd = tree_fd, .trash = &kept->trash, .slot = slot,
		.keep_changes = keep, .budget = keep ? &no_limits : NULL,
	};
	struct policy *policy = NULL;
	int result = slot->kind == HOME_MOVED ? find_hidden(kept, &policy, &order.hidden, err) : 0;
	if (result == 0)
		result = refresh_copy(&order, &work, err);
	policy_free(policy);
	mirror_work_release(&work);
	return result;
}

/* What a run leaves to do when it is killed. */
static int finish_run(struct kept *kept, struct pinfold_error *err)
{
	struct slot *slot = &kept->slot;
	bool layer = slot->kind == HOME_LAYERS;
	bool unsettled = kept->session ? slot->left == SLOT_RUNNING :
					 layer && faccessat(slot->dir, SLOT_INDEX, F_OK, AT_SYMLINK_NOFOLLOW) < 0;
	if (unsettled && refresh_layers(slot, kept->tree, slot->left_at, err) < 0)
		return -1;
	/* No command works in what single changes were being put back in. */
	if (!kept->session && put_back_is_pending(slot->dir) && slot_rest(slot) < 0 && errno != ENOENT)
		return refuse(kept, errno, err);
	if (!kept->session)
		return 0;
	/* What the sync had already done when it was killed would look like the command's changes. */
	if (slot->left == SLOT_SYNCING && sync_copy(kept, true, err) < 0)
		return -1;
	if (!layer && slot_rest(slot) < 0 && errno != ENOENT)
		return refuse(kept, errno, err);
	if (slot->left != SLOT_AT_REST && slot_enter(slot, SLOT_AT_REST) < 0)
		return refuse(kept, errno, err);
	return 0;
}

/* What wrote them anew has left others. */
static int load_bases(struct kept *kept, struct pinfold_error *err)
{
	for (size_t i = 0; i < kept->count; i++) {
		index_release(&kept->parts[i].base);
		if (index_load_any(kept->parts[i].slot_fd, SLOT_INDEX, &kept->parts[i].base) < 0)
			return refuse(kept, errno, err);
	}
	return 0;
}

/* Of an apply that was killed, some may be in the tree. */
static int recover_apply(struct kept *kept, struct pinfold_error *err)
{
	auto_free struct apply_part *parts = calloc(kept->count, sizeof(*parts));
	if (!parts)
		return fault_no_memory(err);
	for (size_t i = 0; i < kept->count; i++)
		parts[i] = (struct apply_part){
			.path = kept->parts[i].path, .place_fd = kept->parts[i].place_fd,
			.held_fd = kept->parts[i].held_fd, .layer = kept->parts[i].layer,
			.slot_fd = kept->parts[i].slot_fd, .elsewhere = i > 0, .belongs = kept->parts[i].belongs,
		};
	if (apply_recover(parts, kept->count, kept->slot.dir, err) < 0)
		return -1;
	return load_bases(kept, err);
}

static int recover(struct kept *kept, struct pinfold_error *err)
{
	if (apply_is_pending(kept->slot.dir) && recover_apply(kept, err) < 0)
		return -1;
	if (!put_back_is_pending(kept->slot.dir))
		return 0;
	kept->finished = true;
	return put_back_recover(kept, err) < 0 ? -1 : load_bases(kept, err);
}

/* Which place a layer or a copy is of stands in the scratch directory, which a command that is not confined can
 * write. */
static int find_belonging(struct kept *kept, struct pinfold_error *err)
{
	struct git_found found;
	if (kept->count < 2)
		return 0;
	if (git_find(kept->tree, geteuid(), &found, err) < 0)
		return -1;
	for (size_t i = 1; i < kept->count; i++)
		for (size_t j = 0; j < found.count; j++)
			kept->parts[i].belongs |= streq(kept->parts[i].path, found.places[j].path);
	git_found_release(&found);
	return 0;
}

static int open_all(struct kept *kept, struct pinfold_error *err)
{
	if (kept->slot.kind == HOME_KINDS)
		return refuse_none(kept, err);
	if (finish_run(kept, err) < 0)
		return -1;
	if (open_tree_part(kept, err) < 0 || open_other_parts(kept, true, err) < 0 ||
	    open_other_parts(kept, false, err) < 0 || find_belonging(kept, err) < 0)
		return -1;
	return recover(kept, err);
}

/* With its slot locked. `alone`: what else was cut off in this tree is not looked for. */
static struct kept *find(const struct config *config, const char *tree, const char *session, bool alone,
			 struct pinfold_error *err)
{
	if (session && !slot_session_is_name(session)) {
		slot_refuse_name(session, err);
		return NULL;
	}
	struct kept *kept = calloc(1, sizeof(*kept));
	if (!kept) {
		fault_no_memory(err);
		return NULL;
	}
	kept->config = config;
	kept->root_fd = kept->trash.root = -1;
	kept->slot = (struct slot)SLOT_NONE;
	kept->tree = strdup(tree);
	kept->session = session ? strdup(session) : NULL;
	int result = kept->tree && (kept->session || !session) ? 0 : fault_no_memory(err);
	if (result == 0)
		result = scratch_open(config, &kept->root, &kept->root_fd, err);
	kept->trash.root = kept->root_fd;
	if (result == 0 && !alone)
		result = pending_recover(config, kept->root_fd, kept->tree, err);
	if (result == 0)
		result = open_slot(kept, err);
	if (result < 0) {
		kept_close(kept);
		return NULL;
	}
	return kept;
}

static int open_kept(const struct config *config, const char *tree, const char *session, bool alone,
		     struct kept **ret_kept, struct pinfold_error *err)
{
	struct kept *kept = find(config, tree, session, alone, err);
	if (!kept)
		return -1;
	if (open_all(kept, err) < 0) {
		kept_close(kept);
		return -1;
	}
	*ret_kept = kept;
	return 0;
}

int kept_open(const struct config *config, const char *tree, const char *session,
	      struct kept **ret_kept, struct pinfold_error *err)
{
	return open_kept(config, tree, session, false, ret_kept, err);
}

int kept_open_alone(const struct config *config, const char *tree, const char *session,
		    struct kept **ret_kept, struct pinfold_error *err)
{
	return open_kept(config, tree, session, true, ret_kept, err);
}

int kept_count(const struct kept *kept, uint64_t *ret_count, struct pinfold_error *err)
{
	uint64_t count = 0;
	for (size_t i = 0; i < kept->count; i++) {
		const struct kept_part *part = &kept->parts[i];
		struct changes_order order = {
			.place = part->path, .place_fd = part->place_fd, .held_fd = part->held_fd,
			.layer = part->layer, .base = &part->base, .processors = refresh_processors(),
		};
		struct changes changes;
		if (part->place_fd < 0)
			continue;
		if (changes_find(&order, &changes, err) < 0)
			return -1;
		count += changes.count;
		changes_release(&changes);
	}
	*ret_count = count;
	return 0;
}

int kept_sync(struct kept *kept, struct pinfold_error *err)
{
	struct slot *slot = &kept->slot;
	if (kept->count > 0)	/* the sync reads it anew: both would be twice the memory */
		index_release(&kept->parts[0].base);
	if (sync_copy(kept, true, err) < 0)
		return -1;
	if (slot_rest(slot) < 0 || (kept->session && slot_enter(slot, SLOT_AT_REST) < 0))
		return refuse(kept, errno, err);
	return 0;
}

/* Layers of other places go with it. On failure the copy goes: the next run makes another. */
static int put_all_back(struct kept *kept, struct pinfold_error *err)
{
	struct slot *slot = &kept->slot;
	int result = discard_entry(&kept->trash, slot->dir, "layers") < 0 ? refuse(kept, errno, err) : 0;
	if (result == 0)
		result = sync_copy(kept, false, err);
	slot_leave(slot, &kept->trash, kept->tree, result == 0);
	return result;
}

int kept_discard(const struct config *config, const char *tree, const char *session,
		 struct pinfold_error *err)
{
	struct kept *kept = find(config, tree, session, false, err);
	if (!kept)
		return -1;
	enum home_kind kind = kept->slot.kind;
	bool copy = !session && kind != HOME_LAYERS && kind != HOME_NOTHING && kind != HOME_KINDS;
	int result = copy ? put_all_back(kept, err) :
			    home_discard_slot(&kept->trash, kept->slot.place);
	if (result < 0 && !copy)
		refuse(kept, errno, err);
	kept_close(kept);
	return result;
}

/* tree/refresh.c - a slot's copy is brought up to date; what layers touched is written down. */
#include "config.h"

#include "tree/refresh.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/file_limit.h"
#include "base/path.h"
#include "tree/beside.h"
#include "tree/bond.h"
#include "tree/elsewhere.h"
#include "tree/inside.h"
#include "tree/layer.h"
#include "tree/remedy.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

/* More threads than this bring nothing for copying on the machines that were measured. */
enum { MOST_PROCESSORS = 16 };

unsigned refresh_processors(void)
{
	cpu_set_t set;
	int count = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
	return count < MOST_PROCESSORS ? (unsigned)count : MOST_PROCESSORS;
}

static uint64_t limit_of(const struct config *config, const char *key, uint64_t given)
{
	uint64_t configured = config_number(config, "copy", key);
	return given > 0 ? given : configured > 0 ? configured : UINT64_MAX;
}

static struct mirror_order mirror_order(const struct refresh_order *order)
{
	const struct config *config = order->config;
	struct pinfold_budget none = { .size = sizeof(none) };
	const struct pinfold_budget *budget = order->budget ? order->budget : &none;
	uint64_t depth = limit_of(config, "max-depth", budget->max_depth);
	return (struct mirror_order){
		.tree = order->tree,
		.scratch = order->root,
		.copy = order->copy,
		.config = config,
		.follow_out = order->slot->kind == HOME_FOLLOWED,
		.follow_own = order->slot->kind == HOME_FOLLOWED || order->slot->kind == HOME_MOVED,
		.hidden = order->hidden,
		.tree_fd = order->tree_fd,
		.copy_fd = order->slot->tree,
		.slot_fd = order->slot->dir,
		.trash = order->trash,
		.most_files = limit_of(config, "max-files", budget->max_files),
		.most_bytes = limit_of(config, "max-bytes", budget->max_bytes),
		.most_depth = depth < UINT32_MAX ? (uint32_t)depth : UINT32_MAX - 1,
		.threads = (unsigned)config_number(config, "copy", "threads"),
		.processors = refresh_processors(),
		.copying = order->copying,
		.context = order->context,
		.keep_changes = order->keep_changes || order->slot->session,
	};
}

static int sync_all(const struct mirror_order *order, const struct beside *beside,
		    struct mirror_work *ret_work, struct pinfold_error *err)
{
	struct file_limit limit;
	file_limit_hold(&limit);
	int result = mirror_sync(order, SLOT_INDEX_NEXT, ret_work, err);
	if (result == 0 && beside_sync(beside, order, ret_work, err) < 0) {
		mirror_work_release(ret_work);
		result = -1;
	}
	file_limit_let_go(&limit);
	return result;
}

/* What is known of the copy, where it is about this tree. Of a session its own entries tell what they are
 * worth, whatever the device has become. */
static int load_index(const struct refresh_order *order, struct index *ret_index)
{
	struct index index = { 0 };
	struct stamp tree, place;
	const struct slot *slot = order->slot;
	bool keeps = order->keep_changes || slot->session;
	if (slot->fresh)
		return 0;
	if (index_load_any(slot->dir, SLOT_INDEX_HELD, &index) < 0)
		return keeps ? -1 : 0;
	if (!index.memory)
		return 0;
	bool ours = stamp_read(order->tree_fd, "", &tree) == 0 && stamp_read(slot->tree, "", &place) == 0 &&
		    index.header->tree == stamp_identity(&tree) &&
		    index.header->copy_device == place.device;
	if (ours || keeps)
		*ret_index = index;
	else
		index_release(&index);
	return 0;
}

/* Without it, what the session's commands changed could not be told from what the tree did. */
static int refuse_lost(const struct slot *slot, struct pinfold_error *err)
{
	const char *name = slot_session(slot);
	return fault(err, PINFOLD_E_SESSION, 0, "go on with what was changed", name ? name : slot->place,
		     "the record of what it began with is damaged: save what you need of it from the "
		     "scratch directory, then discard it (pinfold discard)");
}

static int refuse_to_write(const struct refresh_order *order, const char *action,
			   struct pinfold_error *err)
{
	struct remedy remedy;
	return fault(err, PINFOLD_E_TREE, errno, action, order->root,
		     remedy_in(&remedy, order->slot->dir, "", errno,
			       "check that directory, or name another with [filesystem] scratch", ""));
}

/* While a session's copy is brought up to date, that is written down where a kill leaves it. */
static int begin(const struct refresh_order *order, struct mirror_order *mirror,
		 struct pinfold_error *err)
{
	struct slot *slot = order->slot;
	if (stamp_read(order->trash->root, "", &mirror->scratch_root) < 0)
		return refuse_to_write(order, "look at the scratch directory", err);
	if (mirror->keep_changes && !slot->fresh && !mirror->old)
		return refuse_lost(slot, err);
	if (mirror->keep_changes && mirror->old && bond_is_broken(mirror->old->header->bond, order->tree_fd))
		return bond_refuse("go on in a session", order->tree, slot_session(slot), err);
	if (!slot->session || slot->fresh)
		return 0;
	if (slot->left == SLOT_RUNNING && refresh_layers(slot, order->tree, slot->left_at, err) < 0)
		return -1;
	if (slot->left == SLOT_SYNCING || slot_enter(slot, SLOT_SYNCING) == 0)
		return 0;
	return refuse_to_write(order, "write down that a copy is brought up to date", err);
}

static int open_beside(const struct refresh_order *order, struct mirror_order *mirror, struct beside *beside,
		       struct pinfold_error *err)
{
	auto_free char *slot = path_join(order->root, order->slot->place);
	if (!slot)
		return fault_no_memory(err);
	if (beside_open(beside, mirror, slot, err) < 0)
		return -1;
	mirror->beside = beside->places;
	mirror->beside_count = beside->count;
	return 0;
}

/* Exchanged where that can be: a file that is renamed over another is on the way to the disk before the call
 * returns, on ext4, and nobody here waits for that. */
static int keep_next(int dir)
{
	if (renameat2(dir, SLOT_INDEX_NEXT, dir, SLOT_INDEX_HELD, RENAME_EXCHANGE) == 0)
		return unlinkat(dir, SLOT_INDEX_NEXT, 0);
	return renameat(dir, SLOT_INDEX_NEXT, dir, SLOT_INDEX_HELD) < 0 && errno != ENOENT ? -1 : 0;
}

int refresh_copy(const struct refresh_order *order, struct mirror_work *ret_work,
		 struct pinfold_error *err)
{
	const struct slot *slot = order->slot;
	struct mirror_order mirror = mirror_order(order);
	struct index index = { 0 };
	if (load_index(order, &index) < 0)
		return refuse_to_write(order, "read the index of the copy", err);
	mirror.old = index.memory ? &index : NULL;
	mirror.untouched = slot->untouched && slot->kind == HOME_COPIES && !mirror.keep_changes;
	mirror.old_name = mirror.keep_changes ? NULL : SLOT_INDEX_HELD;
	int result = begin(order, &mirror, err);
	struct beside beside = { .count = 0 };
	if (result == 0 && mirror.follow_own)
		result = open_beside(order, &mirror, &beside, err);
	if (result == 0)
		result = sync_all(&mirror, &beside, ret_work, err);
	beside_release(&beside);
	index_release(&index);
	if (result < 0)
		return -1;
	if (keep_next(slot->dir) < 0) {
		mirror_work_release(ret_work);
		return refuse_to_write(order, "keep the index of the copy", err);
	}
	return 0;
}

/* Of one layer: `dir` holds it. */
static int settle_layer(int dir, const char *place, int64_t began, struct pinfold_error *err)
{
	auto_close int upper = inside_open(dir, "upper", O_PATH, INSIDE_ONE_MOUNT);
	auto_close int below = open(place, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (upper < 0 || below < 0)
		return 0;
	struct index old = { 0 };
	struct remedy remedy;
	if (index_load_any(dir, SLOT_INDEX, &old) < 0)
		return fault(err, PINFOLD_E_TREE, errno, "read what the layer had changed", place,
			     remedy_in(&remedy, dir, "", errno, "check the scratch directory", ", and try again"));
	struct layer_order order = {
		.place = place, .place_fd = below, .held_fd = upper, .slot_fd = dir, .old = &old,
		.began = began,
	};
	int result = layer_settle(&order, SLOT_INDEX_NEXT, err);
	index_release(&old);
	if (result < 0)
		return -1;
	if (renameat(dir, SLOT_INDEX_NEXT, dir, SLOT_INDEX) < 0)
		return fault(err, PINFOLD_E_TREE, errno, "keep the index of the layer", place,
			     remedy_in(&remedy, dir, "", errno,
				       "check the scratch directory, or name another with [filesystem] scratch", ""));
	return 0;
}

static int settle_elsewhere(int slot_dir, int64_t began, struct pinfold_error *err)
{
	auto_close int layers = inside_open(slot_dir, "layers", O_PATH, INSIDE_ONE_MOUNT);
	for (unsigned number = 0; layers >= 0; number++) {
		char name[16];
		auto_free char *place = elsewhere_path(layers, number);
		snprintf(name, sizeof(name), "%u", number);
		auto_close int dir = place ? inside_open(layers, name, O_PATH, INSIDE_ONE_MOUNT) : -1;
		if (dir < 0)
			break;
		if (settle_layer(dir, place, began, err) < 0)
			return -1;
	}
	return 0;
}

int refresh_layers(const struct slot *slot, const char *tree, int64_t began, struct pinfold_error *err)
{
	if (slot->kind == HOME_LAYERS && settle_layer(slot->dir, tree, began, err) < 0)
		return -1;
	return settle_elsewhere(slot->dir, began, err);
}

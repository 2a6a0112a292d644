/* tree/collect.c - what is kept for too long, of too many, or of too much is removed. */
#include "config.h"

#include "tree/collect.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "tree/apply.h"
#include "tree/contents.h"
#include "tree/inside.h"
#include "tree/kept.h"
#include "tree/listing.h"
#include "tree/measure.h"
#include "tree/put_back.h"
#include "tree/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

struct collector {
	const struct config *config;
	const struct collect_order *order;
	struct collection *collection;
	int root_fd;
	struct trash trash;
	int64_t now;
};

/* The limits of runs and of sessions are keys of the same names in two sections. */
static uint64_t limit_of(const struct collector *collector, bool session, const char *name)
{
	return config_number(collector->config, session ? "session" : "copy", name);
}

static bool is_session(const struct collected *one)
{
	return one->item->session != NULL;
}

/* Of a tree that is gone nobody can tell what was changed. */
static bool has_changes(const struct collector *collector, const struct inventory_item *item)
{
	struct kept *kept;
	uint64_t count = 1;
	struct pinfold_error why = { 0 };
	if (item->kind == HOME_KINDS)
		return false;
	if (!item->tree || item->gone ||
	    kept_open(collector->config, item->tree, item->session, &kept, &why) < 0)
		return true;
	if (kept_count(kept, &count, &why) < 0)
		count = 1;
	kept_close(kept);
	return count > 0;
}

static bool may_go(const struct collector *collector, const struct collected *one)
{
	return !is_session(one) || collector->order->unapplied || !has_changes(collector, one->item);
}

/* Nothing was begun, or a copy is not at rest: only a session's is used again then. */
static bool is_unusable(const struct inventory_item *item, int slot_dir)
{
	if (item->session || item->kind == HOME_LAYERS)
		return contents_kind(slot_dir) == HOME_KINDS;
	return faccessat(slot_dir, SLOT_INDEX, F_OK, AT_SYMLINK_NOFOLLOW) < 0 && !put_back_is_pending(slot_dir);
}

/* What somebody has locked was not left. It is locked only where it looks so, since a run that finds a lock
 * makes another copy. */
static bool was_killed(const struct collector *collector, const struct inventory_item *item)
{
	struct slot slot;
	auto_close int dir = inside_open(collector->root_fd, item->place, O_PATH, INSIDE_ONE_MOUNT);
	if (dir < 0 || !is_unusable(item, dir) || slot_open(collector->root_fd, item->place, &slot) != 1)
		return false;
	bool left = is_unusable(item, slot.dir);
	slot_let_go(&slot);
	return left;
}

static enum collect_why judge(const struct collector *collector, const struct collected *one)
{
	const int64_t day = INT64_C(86400) * 1000000000;
	const struct inventory_item *item = one->item;
	uint64_t days = limit_of(collector, item->session, "keep-days");
	if (item->gone && (!item->session || may_go(collector, one)))
		return COLLECT_GONE;
	if (days > 0 && collector->now > item->used && (uint64_t)((collector->now - item->used) / day) >= days)
		return COLLECT_AGE;
	return was_killed(collector, item) ? COLLECT_KILLED : COLLECT_STAYS;
}

/* The least recently used last. */
static int compare_use(const void *left, const void *right)
{
	const struct collected *a = *(const struct collected *const *)left,
			       *b = *(const struct collected *const *)right;
	return (a->item->used < b->item->used) - (a->item->used > b->item->used);
}

/* From the one that was used last to the one past the limit. */
static void limit(const struct collector *collector, struct collected **those, size_t count, bool session)
{
	uint64_t most = limit_of(collector, session, "keep-count"), bytes = 0;
	uint64_t room = limit_of(collector, session, "keep-bytes"), kept = 0;
	for (size_t i = 0; i < count; i++) {
		struct collected *one = those[i];
		one->bytes = room > 0 ? measure_bytes(collector->root_fd, one->item->place) : 0;
		bool over = most > 0 && kept >= most, large = room > 0 && bytes + one->bytes > room;
		if ((over || large) && may_go(collector, one)) {
			one->why = over ? COLLECT_COUNT : COLLECT_BYTES;
			continue;
		}
		kept++;
		bytes += one->bytes;
	}
}

static int limit_kind(const struct collector *collector, bool session, struct pinfold_error *err)
{
	struct collection *collection = collector->collection;
	struct collected **those = calloc(collection->count + 1, sizeof(struct collected *));
	size_t count = 0;
	if (!those)
		return fault_no_memory(err);
	for (size_t i = 0; i < collection->count; i++)
		if (is_session(&collection->items[i]) == session && !collection->items[i].why)
			those[count++] = &collection->items[i];
	if (count > 1)
		qsort(those, count, sizeof(struct collected *), compare_use);
	limit(collector, those, count, session);
	free(those);
	return 0;
}

static int choose(const struct collector *collector, struct pinfold_error *err)
{
	struct collection *collection = collector->collection;
	const struct inventory *inventory = &collection->inventory;
	collection->items = calloc(inventory->count + 1, sizeof(*collection->items));
	if (!collection->items)
		return fault_no_memory(err);
	for (; collection->count < inventory->count; collection->count++) {
		struct collected *one = &collection->items[collection->count];
		one->item = &inventory->items[collection->count];
		one->why = judge(collector, one);
	}
	return limit_kind(collector, false, err) < 0 ? -1 : limit_kind(collector, true, err);
}

/* What was used since it was looked at stays, and what an apply that was cut off still needs. */
static void remove_one(struct collector *collector, struct collected *one)
{
	struct slot slot;
	if (one->bytes == 0)
		one->bytes = measure_bytes(collector->root_fd, one->item->place);
	if (collector->order->dry_run)
		return;
	int taken = slot_open(collector->root_fd, one->item->place, &slot);
	if (taken != 1) {
		one->busy = taken == 0;
		return;
	}
	one->busy = slot.left_at != one->item->used || apply_is_pending(slot.dir);
	if (!one->busy)
		one->removed = home_discard_slot(&collector->trash, one->item->place) == 0;
	slot_let_go(&slot);
}

static void note_remain(void *context, const char *path, int why)
{
	struct collection *collection = context;
	size_t room = (collection->remain_count + 1) * sizeof(*collection->remains);
	struct collect_remain *remains = realloc(collection->remains, room);
	if (!remains)
		return;
	collection->remains = remains;
	struct collect_remain remain = { .path = path_join(collection->root, path), .why = why };
	if (remain.path)
		remains[collection->remain_count++] = remain;
}

static void remove_chosen(struct collector *collector)
{
	struct collection *collection = collector->collection;
	for (size_t i = 0; i < collection->count; i++)
		if (collection->items[i].why)
			remove_one(collector, &collection->items[i]);
	if (collector->order->dry_run)
		return;
	home_tidy(collector->root_fd);
	discard_empty(&collector->trash);
	discard_remains(&collector->trash, note_remain, collection);
}

int collect(const struct config *config, const struct collect_order *order,
	    struct collection *ret_collection, struct pinfold_error *err)
{
	struct collection collection = { 0 };
	struct collector collector = {
		.config = config, .order = order, .collection = &collection, .root_fd = -1,
		.now = stamp_now(),
	};
	int result = scratch_open(config, &collection.root, &collector.root_fd, err);
	collector.trash.root = collector.root_fd;
	if (result == 0 && inventory_read(collector.root_fd, &collection.inventory) < 0)
		result = fault(err, PINFOLD_E_TREE, errno, "look at what is kept", collection.root,
			       "check that directory ([filesystem] scratch)");
	if (result == 0)
		result = choose(&collector, err);
	if (result == 0)
		remove_chosen(&collector);
	cleanup_fd(&collector.root_fd);
	if (result < 0) {
		collect_release(&collection);
		return -1;
	}
	*ret_collection = collection;
	return 0;
}

void collect_release(struct collection *collection)
{
	for (size_t i = 0; i < collection->remain_count; i++)
		free(collection->remains[i].path);
	free(collection->remains);
	free(collection->items);
	free(collection->root);
	inventory_release(&collection->inventory);
	*collection = (struct collection){ 0 };
}

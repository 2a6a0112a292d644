/* tree/settle.c - the base of a layer: what lay below the entries that it touches. */
#include "config.h"

#include "tree/layer.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/fault.h"
#include "base/text.h"
#include "tree/bond.h"
#include "tree/digest.h"
#include "tree/inside.h"
#include "tree/listing.h"
#include "tree/pry.h"
#include "tree/remedy.h"
#include "tree/survey.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>

/* One directory that lay below. */
struct spot {
	struct chain chain;
	const struct index_entry *old;	/* in the base so far, or NULL */
	bool all;		/* nothing of it shows any more: all its entries are touched */
	bool whole;		/* that was so already: what is not in the base so far came later */
	bool unsure;
	uint32_t mode;		/* of the layer's directory; while not `all` */
	struct index_entry *entries;
	const char **names;
	uint32_t count, room;
};

struct settling {
	const struct layer_order *order;
	struct arena *arena;
	struct spot **spots;	/* breadth first */
	size_t count, room;
	struct pried pried;
	struct index_entry top;
	int64_t looked;		/* when */
	bool set_back;		/* the clock, since the run began: no time says that something is older */
	struct index_writer writer;
	/* The spot that is worked on. */
	struct text path;
	struct listing listing;
	int below, held;
	int64_t below_ctime;
};

static struct spot *add_spot(struct settling *settling, const struct spot *above, const char *name)
{
	if (settling->count == settling->room) {
		size_t room = settling->room ? settling->room * 2 : 64;
		struct spot **spots = reallocarray(settling->spots, room, sizeof(*spots));
		if (!spots)
			return NULL;
		settling->spots = spots;
		settling->room = room;
	}
	struct spot *spot = arena_allocate(settling->arena, sizeof(*spot));
	if (!spot)
		return NULL;
	spot->chain = (struct chain){ above ? &above->chain : NULL, name };
	settling->spots[settling->count++] = spot;
	return spot;
}

/* Adds an entry to the spot; the name is copied. NULL when memory is gone. */
static struct index_entry *add_entry(struct settling *settling, struct spot *spot, const char *name,
				     size_t bytes)
{
	if (spot->count == spot->room) {
		uint32_t room = spot->room ? spot->room * 2 : 8;
		struct index_entry *entries = reallocarray(spot->entries, room, sizeof(*entries));
		if (entries)
			spot->entries = entries;
		const char **names = reallocarray(spot->names, room, sizeof(*names));
		if (names)
			spot->names = names;
		if (!entries || !names)
			return NULL;
		spot->room = room;
	}
	spot->names[spot->count] = arena_copy(settling->arena, name);
	if (!spot->names[spot->count])
		return NULL;
	struct index_entry *entry = &spot->entries[spot->count++];
	*entry = (struct index_entry){ .name_bytes = (uint16_t)bytes };
	return entry;
}

/* Was it changed after the run began? File systems that keep whole seconds round down. */
static bool is_recent(const struct settling *settling, int64_t ctime)
{
	int64_t second = ctime % 1000000000 == 0 ? INT64_C(1000000000) : 0;
	return settling->set_back || ctime + second >= settling->order->began;
}

static void fill_stamp(const struct settling *settling, struct index_entry *entry,
		       const struct stamp *stamp)
{
	entry->kind = index_kind_of(stamp->mode);
	entry->flags = is_recent(settling, stamp->ctime) ? INDEX_UNSURE : 0;
	entry->identity = stamp_identity(stamp);
	entry->mtime = stamp->mtime;
	entry->ctime = stamp->ctime;
	entry->mode = entry->copy_mode = stamp->mode;
	if (entry->kind != INDEX_FOLDER)
		entry->size = stamp->size;
}

static uint64_t digest_below(int dir, const char *name, const struct stamp *stamp, uint64_t most)
{
	char target[PATH_MAX];
	struct stamp now;
	uint64_t digest = 0;
	ssize_t bytes = S_ISLNK(stamp->mode) ? readlinkat(dir, name, target, sizeof(target)) : -1;
	if (bytes >= 0)
		return digest_of(target, (size_t)bytes);
	if (!S_ISREG(stamp->mode) || stamp->size > most)
		return 0;
	auto_close int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || digest_file(fd, stamp->size, &digest) < 0 || stamp_read(fd, "", &now) < 0)
		return 0;
	return stamp_is_equal(&now, stamp) ? digest : 0;
}

/* What lies below now, when it was not known before. */
static int fill_from_below(struct settling *settling, const struct spot *spot, const char *name,
			   struct index_entry *entry)
{
	struct stamp stamp;
	int result = settling->below < 0 ? -1 : stamp_read(settling->below, name, &stamp);
	if (result < 0 && settling->below >= 0 && errno != ENOENT)
		return -1;
	if (result < 0) {
		entry->kind = INDEX_SKIPPED;
		entry->flags = INDEX_ABSENT;
		if (is_recent(settling, settling->below_ctime) && layer_has_origin(settling->held, name))
			entry->flags |= INDEX_UNSURE;	/* it was there, and is gone */
		return 0;
	}
	fill_stamp(settling, entry, &stamp);
	if (spot->unsure)
		entry->flags |= INDEX_UNSURE;
	bool young = stamp_is_young(stamp.ctime, settling->looked);
	if (!spot->all || young)
		entry->digest = digest_below(settling->below, name, &stamp,
					     young ? DIGEST_MOST_YOUNG : DIGEST_MOST);
	return 0;
}

/* How the layer touches a name. */
struct touch {
	struct stamp stamp;
	bool there, hides;	/* something is there; it hides what is below instead of lying over it */
};

static int look_at_touch(struct settling *settling, const char *name, struct touch *touch)
{
	*touch = (struct touch){ .hides = true };
	if (settling->held < 0)
		return 0;
	if (stamp_read(settling->held, name, &touch->stamp) < 0)
		return errno == ENOENT ? 0 : -1;
	touch->there = !layer_is_whiteout(settling->held, name, &touch->stamp);
	touch->hides = !S_ISDIR(touch->stamp.mode) || layer_is_opaque(settling->held, name);
	return 0;
}

/* A directory that is below as it is in the layer, whatever the base said: the changes of both start there. */
static int settle_equal(struct settling *settling, const char *name, const struct touch *touch,
			struct index_entry *entry)
{
	struct stamp stamp;
	if (!touch->there || touch->hides || settling->below < 0)
		return 0;
	if (stamp_read(settling->below, name, &stamp) < 0)
		return errno == ENOENT ? 0 : -1;
	if (!S_ISDIR(stamp.mode) || ((stamp.mode ^ touch->stamp.mode) & 07777))
		return 0;
	entry->digest = entry->size = 0;
	fill_stamp(settling, entry, &stamp);
	return 0;
}

/* Did the command make what the layer has and the base so far has not? The person's of that name came later. */
static bool is_new(const struct settling *settling, const struct spot *spot)
{
	return settling->order->idle && settling->order->old && settling->order->old->memory && !spot->all;
}

static int settle_name(struct settling *settling, struct spot *spot, const char *name, size_t bytes)
{
	const struct index *base = settling->order->old;
	const struct index_entry *old =
		spot->old ? index_child(base, spot->old, name, bytes) : NULL;
	struct touch touch;
	if (look_at_touch(settling, name, &touch) < 0)
		return -1;
	struct index_entry *entry = add_entry(settling, spot, name, bytes);
	if (!entry)
		return -1;
	if (old)
		*entry = *old;
	else if (is_new(settling, spot))
		*entry = (struct index_entry){ .name_bytes = (uint16_t)bytes, .kind = INDEX_SKIPPED,
					       .flags = INDEX_ABSENT };
	else if (fill_from_below(settling, spot, name, entry) < 0)
		return -1;
	if ((old || is_new(settling, spot)) && settle_equal(settling, name, &touch, entry) < 0)
		return -1;
	if (touch.there) {
		entry->copy_inode = touch.stamp.inode;
		entry->copy_ctime = touch.stamp.ctime;
	}
	if (entry->kind != INDEX_FOLDER)
		return 0;
	bool unsure = entry->flags & INDEX_UNSURE;
	struct spot *inner = add_spot(settling, spot, spot->names[spot->count - 1]);
	if (!inner)
		return -1;
	inner->old = old && old->kind == INDEX_FOLDER ? old : NULL;
	inner->all = spot->all || touch.hides;
	inner->whole = inner->all && inner->old && old->flags & INDEX_WHOLE;
	entry->flags = (uint8_t)((entry->flags & ~INDEX_WHOLE) | (inner->all ? INDEX_WHOLE : 0));
	inner->unsure = inner->all && (spot->unsure || unsure);
	inner->mode = touch.stamp.mode;
	return 0;
}

/* The names of the base and of what is below, which are both sorted. */
static int settle_all(struct settling *settling, struct spot *spot)
{
	const struct index *base = settling->order->old;
	const struct listing *listing = &settling->listing;
	uint32_t at = 0, count = spot->old ? spot->old->children.count : 0;
	size_t there = 0;
	while (at < count || there < listing->count) {
		const struct index_entry *old =
			at < count ? &base->entries[spot->old->children.first + at] : NULL;
		const struct listed *item = there < listing->count ? &listing->items[there] : NULL;
		int order = !old ? 1 : !item ? -1 :
			    listing_compare(index_name(base, old), old->name_bytes, item->name,
					    item->bytes);
		const char *name = order > 0 ? item->name : index_name(base, old);
		at += order <= 0;
		there += order >= 0;
		if (order > 0 && spot->whole)
			continue;
		if (settle_name(settling, spot, name, strlen(name)) < 0)
			return -1;
	}
	return 0;
}

static int settle_touched(struct settling *settling, struct spot *spot)
{
	for (size_t i = 0; i < settling->listing.count; i++) {
		const struct listed *item = &settling->listing.items[i];
		if (settle_name(settling, spot, item->name, item->bytes) < 0)
			return -1;
	}
	return 0;
}

static int open_sides(struct settling *settling, const struct spot *spot)
{
	const char *path = settling->path.data;
	struct stamp below;
	settling->below = inside_open(settling->order->place_fd, path, O_RDONLY | O_NONBLOCK,
				      INSIDE_ANY_MOUNT);
	if (settling->below < 0 && errno != ENOENT && errno != ENOTDIR && errno != ELOOP &&
	    errno != EACCES)
		return -1;
	settling->below_ctime = INT64_MAX / 2;
	if (settling->below >= 0 && stamp_read(settling->below, "", &below) == 0)
		settling->below_ctime = below.ctime;
	settling->held = inside_open(settling->order->held_fd, path, O_PATH, INSIDE_ONE_MOUNT);
	if (spot->all)
		return 0;
	return settling->held < 0 ? -1 :
	       pry_keep_open(&settling->pried, settling->arena, settling->held, path, spot->mode);
}

static int list_spot(struct settling *settling, const struct spot *spot)
{
	listing_clear(&settling->listing);
	if (spot->all)
		return settling->below < 0 ? 0 : listing_read(&settling->listing, settling->below);
	auto_close int fd = openat(settling->held, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -1 : listing_read(&settling->listing, fd);
}

static int settle_spot(struct settling *settling, struct spot *spot)
{
	settling->below = settling->held = -1;
	chain_path(&spot->chain, &settling->path);
	if (settling->path.failed)
		errno = ENOMEM;
	int result = settling->path.failed || open_sides(settling, spot) < 0 ||
				     list_spot(settling, spot) < 0 ? -1 : 0;
	if (result == 0)
		result = spot->all ? settle_all(settling, spot) : settle_touched(settling, spot);
	int failure = errno;
	cleanup_fd(&settling->below);
	cleanup_fd(&settling->held);
	errno = failure;
	return result;
}

static int settle_top(struct settling *settling)
{
	const struct layer_order *order = settling->order;
	const struct index_entry *old = order->old ? index_find(order->old, "") : NULL;
	struct stamp below, held;
	if (stamp_read(order->place_fd, "", &below) < 0 || stamp_read(order->held_fd, "", &held) < 0)
		return -1;
	struct spot *top = add_spot(settling, NULL, "");
	if (!top)
		return -1;
	if (old)
		settling->top = *old;
	else
		fill_stamp(settling, &settling->top, &below);
	settling->top.copy_inode = held.inode;
	settling->top.copy_ctime = held.ctime;
	top->old = old;
	top->mode = held.mode;
	return 0;
}

static void write_entries(const struct settling *settling, struct index_writer *writer)
{
	uint32_t next = 1, place = 0;
	size_t inner = 1;
	struct index_entry entry = settling->top;
	entry.children.first = next;
	entry.children.count = settling->spots[0]->count;
	next += entry.children.count;
	index_add_entry(writer, &entry);
	for (size_t i = 0; i < settling->count; i++) {
		const struct spot *spot = settling->spots[i];
		for (uint32_t at = 0; at < spot->count; at++) {
			entry = spot->entries[at];
			entry.name = place;
			place += entry.name_bytes + 1u;
			if (entry.kind == INDEX_FOLDER) {
				entry.children.first = next;
				entry.children.count = settling->spots[inner++]->count;
				next += entry.children.count;
			}
			index_add_entry(writer, &entry);
		}
	}
	writer->header.count = next;
	writer->header.name_bytes = place;
}

/* The new file says how late it is by the clock that makes the stamps, which may be another host's. */
static int begin_index(struct settling *settling, const char *index_name)
{
	const struct layer_order *order = settling->order;
	struct stamp made;
	if (index_begin(&settling->writer, order->slot_fd, index_name) < 0 ||
	    stamp_read(settling->writer.fd, "", &made) < 0)
		return -1;
	settling->set_back = order->began != INT64_MAX && made.mtime < order->began - STAMP_TICK;
	return 0;
}

static int write_base(struct settling *settling)
{
	const struct layer_order *order = settling->order;
	struct index_writer *writer = &settling->writer;
	struct stamp held;
	if (stamp_read(order->held_fd, "", &held) < 0)
		return -1;
	write_entries(settling, writer);
	for (size_t i = 0; i < settling->count; i++) {
		const struct spot *spot = settling->spots[i];
		for (uint32_t at = 0; at < spot->count; at++)
			index_add_name(writer, spot->names[at], spot->entries[at].name_bytes);
	}
	writer->header.tree = settling->top.identity;
	uint32_t known = order->old && order->old->memory ? order->old->header->bond : 0;
	writer->header.bond = known ? known : bond_of(order->place_fd);
	writer->header.copy_device = held.device;
	writer->header.began = settling->looked;
	writer->header.ended = stamp_now();
	return index_end(writer);
}

static void release(struct settling *settling)
{
	for (size_t i = 0; i < settling->count; i++) {
		free(settling->spots[i]->entries);
		free(settling->spots[i]->names);
	}
	free(settling->spots);
	arena_free(settling->arena);
	text_release(&settling->path);
	listing_release(&settling->listing);
}

int layer_settle(const struct layer_order *order, const char *index_name, struct pinfold_error *err)
{
	struct settling settling = { .order = order, .arena = arena_new(), .looked = stamp_now(),
				     .writer.fd = -1 };
	int result = settling.arena && begin_index(&settling, index_name) == 0 ? settle_top(&settling) : -1;
	for (size_t i = 0; result == 0 && i < settling.count; i++)
		result = settle_spot(&settling, settling.spots[i]);
	int failure = errno;
	pry_close_again(&settling.pried, order->held_fd);
	if (result == 0 && (result = write_base(&settling)) < 0)
		failure = errno;
	index_give_up(&settling.writer);
	release(&settling);
	if (result == 0)
		return 0;
	struct remedy remedy;
	return fault(err, PINFOLD_E_TREE, failure, "record what the command changed in its layer",
		     order->place,
		     remedy_in(&remedy, order->slot_fd, "", failure, "check the scratch directory",
			       ", or drop the layer with `pinfold discard`"));
}

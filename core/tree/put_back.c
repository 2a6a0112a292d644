/* tree/put_back.c - single changes are dropped: what the tree has is put back, all else stays.
 *
 * In a copy what was changed is removed, and so is what the index knows of it: to the sync it is then
 * something new in the tree. In a layer what was changed is removed, and what lies below is seen again. What
 * is to be done is noted first, and each step finds it done where it was, so that all of it can be done again.
 */
#include "config.h"

#include "tree/put_back.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/fault.h"
#include "base/text.h"
#include "tree/immutable.h"
#include "tree/inside.h"
#include "tree/layer.h"
#include "tree/pry.h"
#include "tree/refresh.h"
#include "tree/uncover.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static const char action[] = PUT_BACK_ACTION;

/* The directory that `path` lies in (O_PATH), and its name there. */
static int open_parent(int held, const char *path, const char **ret_name)
{
	const char *slash = strrchr(path, '/');
	auto_free char *parent = strndup(path, slash ? (size_t)(slash - path) : 0);
	*ret_name = slash ? slash + 1 : path;
	return parent ? inside_open(held, parent, O_PATH, INSIDE_ONE_MOUNT) : -1;
}

static int remove_held(struct kept *kept, const struct kept_part *part, const char *path)
{
	const char *name;
	auto_close int dir = open_parent(part->held_fd, path, &name);
	if (dir < 0)
		return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
	return discard_entry(&kept->trash, dir, name);
}

/* A directory that the command removed is there again, empty: what else was in it stays removed. */
static int make_directory(const struct kept_part *part, const char *path)
{
	const char *name;
	const struct index_entry *old = index_find(&part->base, path);
	auto_close int dir = open_parent(part->held_fd, path, &name);
	if (dir < 0)
		return -1;
	immutable_lift(dir);
	if (mkdirat(dir, name, S_IRWXU) < 0)
		return errno == EEXIST ? 0 : -1;
	auto_close int made = inside_open(dir, name, O_PATH, INSIDE_ONE_MOUNT);
	return made < 0 ? -1 : old ? inside_set_mode(made, old->mode & 07777) : 0;
}

static int make_parents(const struct kept_part *part, const char *path)
{
	auto_free char *up_to = strdup(path);
	for (char *slash = up_to ? strchr(up_to, '/') : NULL; slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (make_directory(part, up_to) < 0)
			return -1;
		*slash = '/';
	}
	return up_to ? 0 : -1;
}

static int put_mode_back(const struct kept_part *part, const struct change *change)
{
	auto_close int fd = inside_open(part->held_fd, change->path, O_PATH, INSIDE_ONE_MOUNT);
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
	immutable_lift(fd);
	return inside_set_mode(fd, change->before.stamp.mode & 07777);
}

/* What a directory of the layer hides is seen again where nothing else hides it. */
static int remove_from_layer(struct kept *kept, const struct kept_part *part, const char *path)
{
	const struct uncover_order order = { part->place_fd, part->held_fd, &part->base };
	int result = uncover_parents(&order, path);
	if (result == 1)
		errno = EOPNOTSUPP;
	return result != 0 ? -1 : remove_held(kept, part, path);
}

static int put_in_place(struct kept *kept, const struct kept_part *part, const struct change *change)
{
	if (put_back_is_mode(change))
		return put_mode_back(part, change);
	if (part->layer) {
		if (remove_from_layer(kept, part, change->path) < 0)
			return -1;
		return change->from ? remove_from_layer(kept, part, change->from) : 0;
	}
	if (remove_held(kept, part, change->path) < 0)
		return -1;
	/* Where this was cut off, the old name may be there again, with what had reached the disk of it. */
	if (change->from && remove_held(kept, part, change->from) < 0)
		return -1;
	return change->before.kind != CHANGE_NOTHING ? make_parents(part, change_old_path(change)) : 0;
}

/* The command may have left directories in which nothing can be changed. */
static int put_one(struct kept *kept, const struct kept_part *part, const struct change *change,
		   struct pinfold_error *err)
{
	struct pried pried = { 0 };
	struct arena *arena = arena_new();
	if (!arena)
		return fault_no_memory(err);
	int result = pry_way(&pried, arena, part->held_fd, change->path);
	if (result == 0)
		result = pry_way(&pried, arena, part->held_fd, change_old_path(change));
	if (result == 0)
		result = put_in_place(kept, part, change);
	int failure = errno;
	pry_close_again(&pried, part->held_fd);
	arena_free(arena);
	return result < 0 ? put_back_refuse(change->path, part->slot_fd, failure, err) : 0;
}

static int put_part(struct kept *kept, const struct put_back_item *item, struct pinfold_error *err)
{
	for (size_t i = 0; i < item->changes->count; i++)
		if (put_one(kept, item->part, &item->changes->items[i], err) < 0)
			return -1;
	return 0;
}

static void release_bases(struct kept *kept)
{
	for (size_t i = 0; i < kept->count; i++)
		index_release(&kept->parts[i].base);
}

/* What is forgotten and removed comes from the tree, or from below. */
static int catch_up(struct kept *kept, const struct put_back_item *items, size_t count,
		    struct pinfold_error *err)
{
	bool layers = false, copies = false;
	for (size_t i = 0; i < count; i++)
		*(items[i].part->layer ? &layers : &copies) |= items[i].changes->count > 0;
	release_bases(kept);
	if (layers && refresh_layers(&kept->slot, kept->tree, stamp_now(), err) < 0)
		return -1;
	return copies ? kept_sync(kept, err) : 0;
}

/* `ret_begun`: something may have been done. */
static int carry_out(struct kept *kept, const struct put_back_item *items, size_t count, bool *ret_begun,
		     struct pinfold_error *err)
{
	for (size_t i = 0; i < count; i++) {
		if (!items[i].part->layer && items[i].changes->count > 0 &&
		    put_back_forget(items[i].part, items[i].changes, err) < 0)
			return -1;
		*ret_begun = true;
	}
	for (size_t i = 0; i < count; i++)
		if (put_part(kept, &items[i], err) < 0)
			return -1;
	return catch_up(kept, items, count, err);
}

/* --- can it be done? ------------------------------------------------------------------------------ */
static bool is_among(const struct changes *changes, const char *path)
{
	for (size_t i = 0; i < changes->count; i++)
		if (streq(changes->items[i].path, path) && !put_back_is_mode(&changes->items[i]))
			return true;
	return false;
}

static bool hides_below(const struct kept_part *part, const char *path)
{
	const char *name;
	auto_close int dir = part->layer ? open_parent(part->held_fd, path, &name) : -1;
	return dir >= 0 && layer_is_opaque(dir, name);
}

/* Is the directory, in which something is to be put back, not there, and is not to come back? `ret_hidden`: what
 * is not in the layer below it was removed. */
static bool is_gone(const struct put_back_item *item, const char *path, bool *ret_hidden)
{
	auto_close int fd = inside_open(item->part->held_fd, path, O_PATH, INSIDE_ONE_MOUNT);
	bool absent = fd < 0 && errno == ENOENT, other = fd < 0 && (errno == ENOTDIR || errno == ELOOP);
	if ((other || (absent && *ret_hidden)) && !is_among(item->changes, path))
		return true;
	*ret_hidden |= hides_below(item->part, path);
	return false;
}

static int check_way(const struct put_back_item *item, const char *path, struct pinfold_error *err)
{
	bool hidden = false;
	auto_free char *up_to = strdup(path);
	if (!up_to)
		return fault_no_memory(err);
	for (char *slash = strchr(up_to, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (is_gone(item, up_to, &hidden))
			return fault(err, PINFOLD_E_TREE, 0, action, path,
				     "it lies in a directory that the command removed or replaced: put that "
				     "directory back");
		*slash = '/';
	}
	return 0;
}

static int check(const struct put_back_item *item, struct pinfold_error *err)
{
	const struct kept_part *part = item->part;
	if (item->changes->count > 0 && !part->layer && !part->base.memory)
		return fault(err, PINFOLD_E_SESSION, 0, action, part->path,
			     "the record of what it began with is damaged: discard all of it");
	for (size_t i = 0; i < item->changes->count; i++)
		if (item->changes->items[i].before.kind != CHANGE_NOTHING &&
		    check_way(item, change_old_path(&item->changes->items[i]), err) < 0)
			return -1;
	return 0;
}

static int check_all(const struct put_back_item *items, size_t count, size_t *ret_changes,
		     struct pinfold_error *err)
{
	size_t changes = 0;
	for (size_t i = 0; i < count; i++) {
		changes += items[i].changes->count;
		if (check(&items[i], err) < 0)
			return -1;
	}
	*ret_changes = changes;
	return 0;
}

/* --- from the first step to the last -------------------------------------------------------------- */
bool put_back_is_pending(int slot_fd)
{
	return faccessat(slot_fd, SLOT_DROPPING, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Without the note what was put back must be on the disk; and the note must not come again when the next
 * command has changed the same. */
static int close_note(const struct kept *kept, struct pinfold_error *err)
{
	auto_close int slot = inside_open(kept->slot.dir, "", O_RDONLY, INSIDE_ONE_MOUNT);
	if (slot >= 0 && syncfs(slot) == 0 && (unlinkat(slot, SLOT_DROPPING, 0) == 0 || errno == ENOENT) && fsync(slot) == 0)
		return 0;
	return put_back_refuse(kept->tree, kept->slot.dir, errno, err);
}

int put_back(struct kept *kept, const struct put_back_item *items, size_t count, struct pinfold_error *err)
{
	size_t changes;
	bool begun = false;
	if (check_all(items, count, &changes, err) < 0)
		return -1;
	if (changes == 0)
		return 0;
	if (put_back_note(kept, items, count, err) < 0)
		return -1;
	if (carry_out(kept, items, count, &begun, err) == 0)
		return close_note(kept, err);
	if (!begun)
		close_note(kept, NULL);
	return -1;
}

int put_back_recover(struct kept *kept, struct pinfold_error *err)
{
	struct put_back_item *items;
	size_t count;
	bool begun = false;
	if (put_back_read(kept, &items, &count, err) < 0)
		return -1;
	int result = carry_out(kept, items, count, &begun, err);
	put_back_release(items, count);
	return result < 0 ? -1 : close_note(kept, err);
}

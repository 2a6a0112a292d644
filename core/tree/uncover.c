/* tree/uncover.c - a directory of a layer that hides all that is below it comes to lie over it instead. */
#include "config.h"

#include "tree/uncover.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/inside.h"
#include "tree/layer.h"
#include "tree/listing.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

/* One directory of the layer, and what is below it. */
struct cover {
	int held, below;
	const struct index *base;
	const struct index_entry *old;	/* a folder of the base, or NULL */
};

static bool is_impossible(int failure)
{
	return failure == EPERM || failure == EOPNOTSUPP || failure == ENOSYS;
}

static bool is_absence(int failure)
{
	return failure == ENOENT || failure == ENOTDIR || failure == ELOOP;
}

static int listed(int dir, struct listing *listing)
{
	auto_close int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -1 : listing_read(listing, fd);
}

/* What came below after the command is nothing that it removed. Without a base all is hidden, as it was. */
static bool was_removed(const struct cover *cover, const struct listed *item)
{
	if (!cover->base->memory)
		return true;
	const struct index_entry *old =
		cover->old ? index_child(cover->base, cover->old, item->name, item->bytes) : NULL;
	return old && !(old->flags & INDEX_ABSENT);
}

static int hide_one_by_one(const struct cover *cover)
{
	struct listing listing = { 0 };
	int result = listed(cover->below, &listing);
	for (size_t i = 0; i < listing.count && result == 0; i++) {
		const struct listed *item = &listing.items[i];
		struct stamp held;
		if (!was_removed(cover, item) || stamp_read(cover->held, item->name, &held) == 0)
			continue;
		if (errno != ENOENT || layer_add_whiteout(cover->held, item->name) < 0)
			result = -1;
	}
	listing_release(&listing);
	return result;
}

/* The directories in it hid what is below them because it did: now they are to do so themselves. */
static int close_inner(const struct cover *cover, int parent, const char *like)
{
	struct listing listing = { 0 };
	int result = listed(cover->held, &listing);
	for (size_t i = 0; i < listing.count && result == 0; i++) {
		const char *name = listing.items[i].name;
		struct stamp held;
		if (stamp_read(cover->held, name, &held) < 0)
			result = -1;
		else if (S_ISDIR(held.mode) && !layer_is_opaque(cover->held, name))
			result = layer_close(cover->held, name, parent, like);
	}
	listing_release(&listing);
	return result;
}

static int uncover(const struct cover *cover, int parent, const char *name)
{
	struct stamp held;
	if (stamp_read(cover->held, "", &held) < 0)
		return -1;
	mode_t mode = held.mode & 07777;
	bool loosened = (mode & S_IRWXU) != S_IRWXU && inside_set_mode(cover->held, mode | S_IRWXU) == 0;
	int result = hide_one_by_one(cover) < 0 || close_inner(cover, parent, name) < 0 ||
				     layer_open_up(parent, name) < 0 ? -1 : 0;
	int failure = errno;
	if (loosened && inside_set_mode(cover->held, mode) < 0)
		return -1;
	errno = failure;
	return result == 0 ? 0 : is_impossible(failure) ? 1 : -1;
}

static int uncover_one(const struct uncover_order *order, int parent, int held, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	if (!layer_is_opaque(parent, name))
		return 0;
	auto_close int below = inside_open(order->place_fd, path, O_PATH, INSIDE_ANY_MOUNT);
	if (below < 0)
		return is_absence(errno) ? 0 : -1;
	struct cover cover = { .held = held, .below = below, .base = order->base };
	cover.old = order->base->memory ? index_find(order->base, path) : NULL;
	if (cover.old && (cover.old->kind != INDEX_FOLDER || cover.old->flags & INDEX_ABSENT))
		cover.old = NULL;
	return uncover(&cover, parent, name);
}

int uncover_parents(const struct uncover_order *order, const char *path)
{
	auto_free char *up_to = strdup(path);
	auto_close int parent = up_to ? inside_open(order->held_fd, "", O_PATH, INSIDE_ONE_MOUNT) : -1;
	if (parent < 0)
		return -1;
	for (char *slash = strchr(up_to, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		auto_close int held = inside_open(order->held_fd, up_to, O_PATH, INSIDE_ONE_MOUNT);
		if (held < 0)
			return is_absence(errno) ? 0 : -1;
		int result = uncover_one(order, parent, held, up_to);
		if (result != 0)
			return result;
		close(parent);
		parent = take_fd(&held);
		*slash = '/';
	}
	return 0;
}

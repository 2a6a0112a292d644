/* tree/inventory.c - everything that is kept below the scratch root. */
#include "config.h"

#include "tree/inventory.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/contents.h"
#include "tree/inside.h"
#include "tree/listing.h"
#include "tree/stamp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>

static struct inventory_item *add(struct inventory *inventory)
{
	size_t room = (inventory->count + 1) * sizeof(*inventory->items);
	struct inventory_item *items = realloc(inventory->items, room);
	if (!items)
		return NULL;
	inventory->items = items;
	items[inventory->count] = (struct inventory_item){ .kind = HOME_KINDS };
	return &items[inventory->count++];
}

static bool is_number(const char *name)
{
	return name[0] && name[strspn(name, "0123456789")] == '\0' && strlen(name) <= 5;
}

static bool is_slot(const char *name)
{
	return name[0] == '=' ? slot_session_is_name(name + 1) : is_number(name);
}

/* The home says of what kind its numbers are, where its tree is known; a session's slot says it itself. */
static enum home_kind kind_of(const char *home, const char *tree, const char *name, int slot_dir)
{
	char expected[HOME_ROOM];
	enum home_kind there = contents_kind(slot_dir);
	if (name[0] == '=' || !tree)
		return there;
	for (enum home_kind kind = 0; kind < HOME_KINDS; kind++) {
		home_name(tree, kind, expected);
		if (streq(expected, home))
			return kind == HOME_NOTHING || there != HOME_KINDS ? kind : HOME_KINDS;
	}
	return there;
}

static bool is_gone(const char *tree)
{
	return faccessat(AT_FDCWD, tree, F_OK, AT_SYMLINK_NOFOLLOW) < 0 &&
	       (errno == ENOENT || errno == ENOTDIR);
}

static int add_slot(struct inventory *inventory, const char *home, int home_fd, const char *tree,
		    const char *name)
{
	struct stamp lock;
	auto_close int dir = inside_open(home_fd, name, O_PATH, INSIDE_ONE_MOUNT);
	if (dir < 0)
		return 0;
	struct inventory_item *item = add(inventory);
	if (!item)
		return -1;
	item->tree = tree ? strdup(tree) : NULL;
	item->session = name[0] == '=' ? strdup(name + 1) : NULL;
	if ((tree && !item->tree) || (name[0] == '=' && !item->session))
		return -1;
	item->gone = tree && is_gone(tree);
	item->kind = kind_of(home, tree, name, dir);
	snprintf(item->place, sizeof(item->place), "%s/%.*s", home, SESSION_NAME_MOST + 1, name);
	item->used = stamp_read(dir, "lock", &lock) == 0 ? lock.mtime : 0;
	return 0;
}

static int add_home(struct inventory *inventory, int homes_fd, const char *name)
{
	char home[HOME_ROOM], target[PATH_MAX];
	struct listing listing = { 0 };
	auto_close int fd = inside_open(homes_fd, name, O_RDONLY, INSIDE_ONE_MOUNT);
	if (fd < 0 || strlen(name) >= sizeof(home) - 2)
		return 0;
	snprintf(home, sizeof(home), "t/%.*s", (int)sizeof(home) - 3, name);
	ssize_t bytes = readlinkat(fd, "of", target, sizeof(target) - 1);
	if (bytes >= 0)
		target[bytes] = '\0';
	bool listed = listing_read(&listing, fd) == 0;
	int result = !listed && errno == ENOMEM ? -1 : 0;
	for (size_t i = 0; listed && i < listing.count && result == 0; i++)
		if (is_slot(listing.items[i].name))
			result = add_slot(inventory, home, fd, bytes > 0 && target[0] == '/' ? target : NULL,
					  listing.items[i].name);
	listing_release(&listing);
	return result;
}

static int compare_texts(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare(const void *left, const void *right)
{
	const struct inventory_item *a = left, *b = right;
	int order = compare_texts(a->tree, b->tree);
	order = order ? order : compare_texts(a->session, b->session);
	return order ? order : strcmp(a->place, b->place);
}

int inventory_read(int root, struct inventory *ret_inventory)
{
	struct inventory inventory = { 0 };
	struct listing listing = { 0 };
	int result = 0;
	auto_close int fd = inside_open(root, "t", O_RDONLY, INSIDE_ONE_MOUNT);
	if (fd < 0 && errno != ENOENT)
		return -1;
	if (fd >= 0)
		result = listing_read(&listing, fd);
	for (size_t i = 0; i < listing.count && result == 0; i++)
		result = add_home(&inventory, fd, listing.items[i].name);
	listing_release(&listing);
	if (result < 0) {
		inventory_release(&inventory);
		errno = ENOMEM;
		return -1;
	}
	if (inventory.count > 1)
		qsort(inventory.items, inventory.count, sizeof(*inventory.items), compare);
	*ret_inventory = inventory;
	return 0;
}

void inventory_release(struct inventory *inventory)
{
	for (size_t i = 0; i < inventory->count; i++) {
		free(inventory->items[i].tree);
		free(inventory->items[i].session);
	}
	free(inventory->items);
	*inventory = (struct inventory){ 0 };
}

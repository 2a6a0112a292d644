/* tree/home.c - where everything that is kept of one working tree lies. */
#include "config.h"

#include "tree/home.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/inside.h"
#include "tree/listing.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

void home_name(const char *tree, enum home_kind kind, char *room)
{
	uint64_t key = 0xcbf29ce484222325u ^ kind;
	for (const char *at = tree; *at; at++)
		key = (key ^ (unsigned char)*at) * 0x100000001b3u;
	snprintf(room, HOME_ROOM, "t/%016" PRIx64, key);
}

int home_is_of(int root, const char *name, const char *tree)
{
	char target[PATH_MAX];
	auto_close int home = inside_open(root, name, O_PATH, INSIDE_ONE_MOUNT);
	if (home < 0 || (symlinkat(tree, home, "of") < 0 && errno != EEXIST))
		return -1;
	ssize_t bytes = readlinkat(home, "of", target, sizeof(target));
	if (bytes < 0)
		return -1;
	return (size_t)bytes == strlen(tree) && memcmp(target, tree, (size_t)bytes) == 0;
}

/* Opens the directory `name` of `dir`, made where it is missing. */
static int enter(int dir, const char *name)
{
	if (mkdirat(dir, name, S_IRWXU) < 0 && errno != EEXIST)
		return -1;
	return inside_open(dir, name, O_PATH, INSIDE_ONE_MOUNT);
}

int home_open_slot(int root, const char *place, const char *tree)
{
	int fd = inside_open(root, place, O_PATH, INSIDE_ONE_MOUNT);
	if (fd >= 0 || errno != ENOENT)
		return fd;
	char name[HOME_ROOM];
	const char *slot = strrchr(place, '/') + 1;
	snprintf(name, sizeof(name), "%.*s", (int)(slot - place - 1), place);
	auto_close int homes = enter(root, "t");
	auto_close int home = homes < 0 ? -1 : enter(homes, name + strlen("t/"));
	/* Some file systems have no links of the length that paths may have: only sessions need it. */
	if (home < 0 || (home_is_of(root, name, tree) < 0 && errno != ENAMETOOLONG))
		return -1;
	return enter(home, slot);
}

int home_discard_slot(struct trash *trash, const char *place)
{
	char name[HOME_ROOM];
	const char *slot = strrchr(place, '/') + 1;
	snprintf(name, sizeof(name), "%.*s", (int)(slot - place - 1), place);
	auto_close int home = inside_open(trash->root, name, O_PATH, INSIDE_ONE_MOUNT);
	if (home < 0)
		return errno == ENOENT ? 0 : -1;
	return discard_directory(trash, home, slot);
}

/* A run may be about to make its slot there: then the home gets its `of` back. */
static void tidy_one(int homes, const char *name)
{
	char target[PATH_MAX];
	struct listing listing = { 0 };
	auto_close int home = inside_open(homes, name, O_RDONLY, INSIDE_ONE_MOUNT);
	bool bare = home >= 0 && listing_read(&listing, home) == 0 && listing.count <= 1 &&
		    (listing.count == 0 || streq(listing.items[0].name, "of"));
	listing_release(&listing);
	ssize_t bytes = bare ? readlinkat(home, "of", target, sizeof(target) - 1) : -1;
	if (!bare || (unlinkat(home, "of", 0) < 0 && errno != ENOENT))
		return;
	if (unlinkat(homes, name, AT_REMOVEDIR) == 0 || bytes <= 0)
		return;
	target[bytes] = '\0';
	if (symlinkat(target, home, "of") < 0)
		return;
}

void home_tidy(int root)
{
	struct listing listing = { 0 };
	auto_close int homes = inside_open(root, "t", O_RDONLY, INSIDE_ONE_MOUNT);
	if (homes >= 0 && listing_read(&listing, homes) == 0)
		for (size_t i = 0; i < listing.count; i++)
			tidy_one(homes, listing.items[i].name);
	listing_release(&listing);
}

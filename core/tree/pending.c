/* tree/pending.c - applies that were cut off: found by whoever opens anything of their tree. */
#include "config.h"

#include "tree/pending.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/text.h"
#include "tree/apply.h"
#include "tree/home.h"
#include "tree/inside.h"
#include "tree/listing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>

#define MARK "applying"

static int open_home(const struct kept *kept)
{
	char home[SLOT_ROOM];
	snprintf(home, sizeof(home), "%s", kept->slot.place);
	char *slash = strrchr(home, '/');
	if (slash)
		*slash = '\0';
	return inside_open(kept->root_fd, home, O_RDONLY, INSIDE_ONE_MOUNT);
}

/* The lock keeps others from taking the mark for one that was left. */
int pending_begin(const struct kept *kept)
{
	auto_close int home = open_home(kept);
	while (home >= 0 && flock(home, LOCK_SH) < 0)
		if (errno != EINTR)
			return -1;
	auto_close int fd = home < 0 ? -1 : openat(home, MARK, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	return fd < 0 || fsync(home) < 0 ? -1 : take_fd(&home);
}

static bool is_cut_off(int home, const char *slot)
{
	auto_close int fd = inside_open(home, slot, O_PATH, INSIDE_ONE_MOUNT);
	return fd >= 0 && apply_is_pending(fd);
}

/* A run without a session was the last one, or somebody would have come by here before. 0; 1: somebody
 * works with it; -1. */
static int recover_slot(const struct config *config, const char *tree, const char *slot,
			struct pinfold_error *err)
{
	struct kept *kept = NULL;
	struct pinfold_error local = { 0 };
	if (kept_open_alone(config, tree, slot[0] == '=' ? slot + 1 : NULL, &kept, &local) == 0) {
		kept_close(kept);
		return 0;
	}
	if (local.code == PINFOLD_E_BUSY || local.code == PINFOLD_E_SESSION)
		return 1;
	if (err)
		*err = local;
	return -1;
}

static int recover_slots(const struct config *config, const char *tree, int home,
			 unsigned *ret_left, struct pinfold_error *err)
{
	struct listing listing = { 0 };
	unsigned left = 0;
	int result = listing_read(&listing, home);
	if (result < 0)
		result = fault(err, PINFOLD_E_TREE, errno, "look for an apply that was cut off", tree,
			       "check the scratch directory ([filesystem] scratch)");
	for (size_t i = 0; i < listing.count && result == 0; i++) {
		if (!is_cut_off(home, listing.items[i].name))
			continue;
		int recovered = recover_slot(config, tree, listing.items[i].name, err);
		left += recovered > 0;
		result = recovered < 0 ? -1 : 0;
	}
	listing_release(&listing);
	*ret_left = left;
	return result;
}

static int recover_home(const struct config *config, const char *tree, int home,
			struct pinfold_error *err)
{
	unsigned left;
	bool alone = flock(home, LOCK_EX | LOCK_NB) == 0;
	if (recover_slots(config, tree, home, &left, err) < 0)
		return -1;
	if (alone && left == 0)
		unlinkat(home, MARK, 0);
	return 0;
}

int pending_recover(const struct config *config, int root, const char *tree, struct pinfold_error *err)
{
	static const enum home_kind kinds[] = { HOME_COPIES, HOME_FOLLOWED, HOME_MOVED, HOME_LAYERS };
	for (size_t i = 0; i < N_ELEMENTS(kinds); i++) {
		char home[HOME_ROOM], mark[HOME_ROOM + sizeof(MARK)];
		home_name(tree, kinds[i], home);
		snprintf(mark, sizeof(mark), "%s/" MARK, home);
		if (faccessat(root, mark, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		auto_close int fd = inside_open(root, home, O_RDONLY, INSIDE_ONE_MOUNT);
		if (fd >= 0 && recover_home(config, tree, fd, err) < 0)
			return -1;
	}
	return 0;
}

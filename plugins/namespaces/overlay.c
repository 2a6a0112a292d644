/* plugins/namespaces/overlay.c - the view `overlay`: the tree itself below, a private layer above that takes
 * what the command changes. To lay it costs the same however large the tree is. */
#include "config.h"

#include "overlay.h"

#include "below.h"
#include "ground.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum ground_kind { GROUND_UNKNOWN = 0, GROUND_DISK = 'd', GROUND_MEMORY = 'm' };

struct overlay {
	struct pinfold_copy *place;
	const char *tree;
	bool session;
};

static int refuse(const struct pinfold_host *host, struct pinfold_error *err, int32_t sys, const char *subject,
		  const char *recovery)
{
	return host->fail(err, PINFOLD_E_SANDBOX_DENIED, sys, "lay an overlay over the working tree", subject,
			  recovery);
}

static int refuse_below(const struct pinfold_host *host, const char *tree, struct pinfold_error *err)
{
	const char *named = NULL;
	if (below_look(host, tree, &named) < 0)
		return refuse(host, err, errno, "/proc/self/mountinfo cannot be read", "mount /proc");
	if (!named)
		return 0;
	return refuse(host, err, 0, host->print(host, "%s: a mount in it, which an overlay does not show", named),
		      "use the view `copy`, choose a tree without it (-C DIR), or unmount it");
}

static int overlay_open(const struct pinfold_host *host, const char *tree, const char *session,
			uint32_t placing, uint64_t kept, void **ret_state, struct pinfold_error *err)
{
	const struct pinfold_place_order order = { .size = sizeof(order), .layer = 1, .session = session };
	struct overlay *overlay = host->allocate(host, sizeof(*overlay));
	(void)kept;
	if (!overlay)
		return host->fail(err, PINFOLD_E_NO_MEMORY, ENOMEM, "open the view overlay", tree, NULL);
	if (placing != PINFOLD_PLACING_REBOUND)
		return refuse(host, err, 0, "this arm mounts nothing",
			      "use the view `copy`, or the arm `namespaces`");
	if (!PINFOLD_HAS(host, trees) || !PINFOLD_HAS(host->trees, open_place))
		return host->fail(err, PINFOLD_E_PLUGIN, 0, "open the view overlay",
				  "this host keeps no layers", "use a newer pinfold");
	if (refuse_below(host, tree, err) < 0 ||
	    host->trees->open_place(host, tree, &order, &overlay->place, err) < 0)
		return -1;
	overlay->tree = tree;
	overlay->session = session != NULL;
	*ret_state = overlay;
	return 0;
}

static int look_at(const struct pinfold_host *host, const char *path, uint64_t *ret_device,
		   uint64_t *ret_inode, struct pinfold_error *err)
{
	struct stat found;
	if (lstat(path, &found) < 0)
		return host->fail(err, PINFOLD_E_TREE, errno, "look at the private layer", path,
				  "check the scratch directory");
	*ret_device = found.st_dev;
	*ret_inode = found.st_ino;
	return 0;
}

static int show(const struct pinfold_host *host, const struct overlay *overlay, bool memory,
		struct pinfold_shown *shown, struct pinfold_error *err)
{
	const struct pinfold_trees *trees = host->trees;
	shown->kind = PINFOLD_SHOW_OVERLAY;
	shown->source = overlay->tree;
	shown->source_device = shown->tree_device;
	shown->source_inode = shown->tree_inode;
	shown->temporary = trees->temporary(overlay->place);
	shown->upper = shown->work = NULL;
	shown->layers = trees->layers(overlay->place);
	shown->session = overlay->session;
	if (look_at(host, shown->temporary, &shown->temporary_device, &shown->temporary_inode, err) < 0)
		return -1;
	if (memory)
		return 0;
	shown->upper = trees->upper(overlay->place);
	shown->work = trees->work(overlay->place);
	if (look_at(host, shown->upper, &shown->upper_device, &shown->upper_inode, err) < 0)
		return -1;
	return look_at(host, shown->work, &shown->work_device, &shown->work_inode, err);
}

/* Everything that the answer depends on, but for the kernel and the user, which the host adds. */
static const char *stamp_of(const struct pinfold_host *host, const struct overlay *overlay,
			    const struct pinfold_shown *shown)
{
	struct stat upper = { 0 };
	lstat(host->trees->upper(overlay->place), &upper);
	return host->print(host, "%llu %llu %d", (unsigned long long)shown->tree_device,
			   (unsigned long long)upper.st_dev, overlay->session);
}

static void say_memory(const struct pinfold_host *host, const struct ground *disk, const char *base)
{
	const char *text = host->print(host, "what the command changes lies in memory and ends with the run: the "
				       "scratch directory lacks %s; %s", ground_missing(host, disk, base),
				       ground_lift(disk));
	if (text)
		host->log(host, PINFOLD_LOG_WARNING, text);
}

/* On disk, where its changes outlive the run; in memory, where they need not. */
static int choose_ground(const struct pinfold_host *host, const struct overlay *overlay,
			 enum ground_kind *ret_kind, struct pinfold_error *err)
{
	struct ground disk, memory = { 0 };
	const char *base = host->trees->temporary(overlay->place);
	ground_try(host, overlay->tree, base, &disk);
	*ret_kind = GROUND_DISK;
	if (disk.step == GROUND_DONE)
		return 0;
	if (!overlay->session)
		ground_try(host, overlay->tree, NULL, &memory);
	*ret_kind = GROUND_MEMORY;
	if (memory.step == GROUND_DONE) {
		say_memory(host, &disk, base);
		return 0;
	}
	return refuse(host, err, 0, host->print(host, "this machine lacks %s", ground_missing(host, &disk, base)),
		      ground_lift(&disk));
}

/* What lies in memory is tried each time: then it is also said each time. */
static int find_ground(const struct pinfold_host *host, const struct overlay *overlay,
		       const struct pinfold_shown *shown, enum ground_kind *ret_kind, struct pinfold_error *err)
{
	const void *data;
	size_t bytes;
	const char *stamp = stamp_of(host, overlay, shown);
	if (stamp && host->recall(host, "ground", stamp, &data, &bytes) == 1 && bytes == 1) {
		*ret_kind = GROUND_DISK;
		return 0;
	}
	if (choose_ground(host, overlay, ret_kind, err) < 0)
		return -1;
	if (stamp && *ret_kind == GROUND_DISK)
		host->keep(host, "ground", stamp, &(char){ GROUND_DISK }, 1);
	return 0;
}

static int overlay_sync(const struct pinfold_host *host, void *opened, struct pinfold_shown *shown,
			struct pinfold_work *work, struct pinfold_error *err)
{
	const struct overlay *overlay = opened;
	enum ground_kind kind;
	if (host->trees->sync(overlay->place, work, err) < 0 ||
	    find_ground(host, overlay, shown, &kind, err) < 0)
		return -1;
	return show(host, overlay, kind == GROUND_MEMORY, shown, err);
}

static void overlay_close(const struct pinfold_host *host, void *opened, uint32_t keep)
{
	struct overlay *overlay = opened;
	if (!overlay)
		return;
	host->trees->close(overlay->place, keep);
	overlay->place = NULL;
}

static int overlay_probe(const struct pinfold_host *host, const char *scratch, struct pinfold_view_offer *offer,
			 struct pinfold_error *err)
{
	struct ground disk = { .error = ENOENT, .step = GROUND_PLACE }, memory;
	size_t count = 0;
	(void)err;
	if (scratch)
		ground_try(host, NULL, scratch, &disk);
	ground_try(host, NULL, NULL, &memory);
	const struct ground *best = disk.step == GROUND_DONE ? &disk : &memory;
	offer->available = best->step == GROUND_DONE;
	if (!offer->available) {
		offer->missing = ground_missing(host, &disk, scratch ? scratch : "no scratch directory");
		offer->lift = ground_lift(&disk);
		return 0;
	}
	if (best == &memory)
		offer->limits[count++] = host->print(host, "in memory: changes end with the run, and no session can "
						     "keep them; the scratch directory lacks %s",
						     ground_missing(host, &disk, scratch ? scratch : "there is none"));
	if (!best->renames)
		offer->limits[count++] = "a directory of the tree cannot be renamed (EXDEV: mv copies it instead)";
	if (!best->links)
		offer->limits[count++] = "a file of the tree that is changed, or given a further name, becomes another "
					 "one (git clone needs --no-hardlinks); of several names one follows";
	offer->limits[count++] = "a tree in which something is mounted is refused";
	offer->limits[count++] = "what the tree's owner changes meanwhile may or may not be seen";
	offer->limits[count++] = "a file of another owner or group cannot be changed (EPERM, EOVERFLOW)";
	return 0;
}

const struct pinfold_view overlay_view = {
	.size = sizeof(overlay_view),
	.name = "overlay",
	.summary = "the tree itself below, a private layer above: costs the same for trees of any size",
	.open = overlay_open,
	.sync = overlay_sync,
	.close = overlay_close,
	.probe = overlay_probe,
};

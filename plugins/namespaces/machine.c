/* plugins/namespaces/machine.c - with the scope of the machine: which file systems and directories lie below
 * layers whose changes are kept, and which are shown as they are. */
#include "config.h"

#include "below.h"
#include "calls.h"
#include "layout.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse(const struct pinfold_host *host, struct pinfold_error *err, int sys, const char *subject,
		  const char *recovery)
{
	return host->fail(err, PINFOLD_E_SANDBOX_DENIED, sys, "lay layers over the machine", subject, recovery);
}

bool machine_is_layerable(const char *type)
{
	static const char *const types[] = { "ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "zfs", "bcachefs",
					     "overlay", "tmpfs", "nfs", "nfs4", "erofs", "squashfs", "iso9660" };
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(type, types[i]) == 0)
			return true;
	return false;
}

static bool lies_at(const char *path, const char *directory)
{
	return strcmp(path, directory) == 0 || path_lies_in(path, directory);
}

/* What the view makes anew, or shows by itself. */
static bool is_ours(const struct scene *scene, const char *path)
{
	const char *scratch = scene->policy->scratch;
	return lies_at(path, "/proc") || lies_at(path, "/dev") || scene_empties(scene, path) ||
	       lies_at(path, scene->shown->tree) || (scratch && lies_at(path, scratch));
}

static int compare_mounts(const void *left, const void *right)
{
	const struct mounted *a = left, *b = right;
	int order = strcmp(a->path, b->path);
	return order ? order : (a->id > b->id) - (a->id < b->id);
}

static size_t count_lines(const char *text)
{
	size_t count = 1;
	for (; (text = strchr(text, '\n')); text++)
		count++;
	return count;
}

int machine_parse(const struct pinfold_host *host, char *table, const struct scene *scene,
		  struct mounted **ret_mounts, size_t *ret_count)
{
	struct mounted *mounts = host->allocate(host, count_lines(table) * sizeof(*mounts));
	struct below_line line;
	size_t count = 0;
	if (!mounts)
		return -1;
	for (char *text; (text = strsep(&table, "\n"));)
		if (below_read_line(text, &line) && !is_ours(scene, line.point))
			mounts[count++] = (struct mounted){ line.point, line.type, line.id };
	qsort(mounts, count, sizeof(*mounts), compare_mounts);
	*ret_mounts = mounts;
	*ret_count = count;
	return 0;
}

/* Is this mount what its path leads to, and what is there? Others lie below it, or around it. */
static bool is_seen(const struct mounted *mount, struct region *ret_region)
{
	struct statx status;
	if (statx(AT_FDCWD, mount->path, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT,
		  STATX_TYPE | STATX_INO | STATX_MNT_ID, &status) < 0 || status.stx_mnt_id != mount->id)
		return false;
	bool directory = S_ISDIR(status.stx_mode);
	*ret_region = (struct region){
		.path = mount->path, .directory = directory, .below = -1,
		.identity = known_status((const void *)&status),
		.layer = directory && machine_is_layerable(mount->type),
	};
	return true;
}

/* What is shown as it is takes along what is mounted in it. */
static size_t list_regions(const struct mounted *mounts, size_t count, struct region *regions)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		struct region *last = kept ? &regions[kept - 1] : NULL;
		if (last && !last->layer && path_lies_in(mounts[i].path, last->path))
			continue;
		kept += is_seen(&mounts[i], &regions[kept]);
	}
	return kept;
}

/* A file system without what is mounted in it, told of no later mount; only who may mount here can take it. */
static int take_alone(const char *path)
{
	const struct mount_attr attributes = { .propagation = MS_PRIVATE };
	int fd = (int)syscall(SYS_open_tree, AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_SYMLINK_NOFOLLOW);
	if (fd < 0)
		return -1;
	int high = syscall(SYS_mount_setattr, fd, "", AT_EMPTY_PATH, &attributes, sizeof(attributes)) < 0 ?
			   -1 : fcntl(fd, F_DUPFD_CLOEXEC, 10);
	close(fd);
	return high;
}

static void close_regions(struct region *regions, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (regions[i].below >= 0)
			close(regions[i].below);
}

/* 1: all are taken; 0: the caller may not; -1 with errno. */
static int take_regions(struct region *regions, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		regions[i].below = regions[i].layer ? take_alone(regions[i].path) : -1;
		if (!regions[i].layer || regions[i].below >= 0)
			continue;
		int failure = errno;
		close_regions(regions, i);
		errno = failure;
		return failure == EPERM ? 0 : -1;
	}
	return 1;
}

static int find_whole(const struct pinfold_host *host, const struct mounted *mounts, size_t count,
		      struct scene *scene, struct pinfold_error *err)
{
	struct region *regions = host->allocate(host, (count + 1) * sizeof(*regions));
	if (!regions)
		return refuse(host, err, ENOMEM, "/", NULL);
	size_t kept = list_regions(mounts, count, regions);
	if (kept == 0 || strcmp(regions[0].path, "/") != 0 || !regions[0].layer)
		return refuse(host, err, 0, "/: its file system cannot lie below a layer",
			      "use the scope `tree`, or a root on ext4, xfs, btrfs or an overlay");
	int taken = take_regions(regions, kept);
	if (taken < 0)
		return refuse(host, err, errno, "a file system that is mounted", "check what is mounted");
	scene->whole = taken;
	scene->regions = regions;
	scene->region_count = taken ? kept : 0;
	return 0;
}

static bool holds_mounts(const struct mounted *mounts, size_t count, const char *path)
{
	for (size_t i = 0; i < count; i++)
		if (path_lies_in(mounts[i].path, path))
			return true;
	return false;
}

static bool is_mounted(const struct mounted *mounts, size_t count, const char *path, bool *ret_layerable)
{
	bool found = false;
	for (size_t i = 0; i < count; i++)
		if (strcmp(mounts[i].path, path) == 0) {
			*ret_layerable = machine_is_layerable(mounts[i].type);
			found = true;
		}
	return found;
}

static bool can_be_layered(const struct scene *scene, const struct mounted *mounts, size_t count,
			   const char *path, struct region *ret_region)
{
	bool layerable = true;
	struct stat status;
	if (is_ours(scene, path) || lies_at(path, "/sys") || path_lies_in(scene->shown->tree, "/dev") ||
	    lstat(path, &status) < 0 || !S_ISDIR(status.st_mode) || holds_mounts(mounts, count, path))
		return false;
	is_mounted(mounts, count, path, &layerable);
	*ret_region = (struct region){
		.path = path, .layer = true, .directory = true, .below = -1,
		.identity = identity_of(status.st_dev, status.st_ino),
	};
	return layerable;
}

enum { MOST_DIRECTORIES = 256 };

static bool is_covered(const struct region *regions, size_t count, const char *path)
{
	for (size_t i = 0; i < count; i++)
		if (lies_at(path, regions[i].path))
			return true;
	return false;
}

static void say_home(const struct pinfold_host *host, const char *home)
{
	const char *text = host->print(host, "%s stays read-only but for what is layered: something is mounted in it, "
				       "or its file system cannot lie below a layer", home);
	if (text)
		host->log(host, PINFOLD_LOG_WARNING, text);
}

/* The home, and what else of the root's directories the caller may write. */
static size_t list_directories(const struct pinfold_host *host, const struct mounted *mounts, size_t count,
			       const struct scene *scene, DIR *root, struct region *regions)
{
	const char *home = scene->policy->home;
	size_t kept = home && can_be_layered(scene, mounts, count, home, &regions[0]);
	if (home && !kept && !is_ours(scene, home))
		say_home(host, home);
	for (struct dirent *entry; kept + 1 < MOST_DIRECTORIES && (entry = readdir(root));) {
		const char *path = host->print(host, "/%s", entry->d_name);
		if (path && entry->d_name[0] != '.' && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 &&
		    !is_covered(regions, kept, path) && !(home && lies_at(home, path)) &&
		    can_be_layered(scene, mounts, count, path, &regions[kept]))
			kept++;
	}
	return kept;
}

/* The root itself cannot be had, for the kernel holds what is mounted in it. */
static int find_directories(const struct pinfold_host *host, const struct mounted *mounts, size_t count,
			    struct scene *scene, struct pinfold_error *err)
{
	struct region *regions = host->allocate(host, MOST_DIRECTORIES * sizeof(*regions));
	DIR *root = regions ? opendir("/") : NULL;
	if (!root)
		return refuse(host, err, errno, "/", "check that it can be read");
	scene->regions = regions;
	scene->region_count = list_directories(host, mounts, count, scene, root, regions);
	closedir(root);
	if (scene->region_count == 0)
		return refuse(host, err, 0, "there is no home, and no directory of the root's that you may write",
			      "use the scope `tree`, with [filesystem] layered, or be root");
	return 0;
}

int machine_find(const struct pinfold_host *host, struct scene *scene, struct pinfold_error *err)
{
	struct mounted *mounts;
	size_t count;
	if (!PINFOLD_HAS(scene->policy, machine))
		return 0;
	if (host->setting(host, "wrapper"))
		return refuse(host, err, 0, "[arm:namespaces] wrapper is set, and bubblewrap lays none",
			      "use the scope `tree`");
	char *table = below_read_table(host, "/proc/self/mountinfo");
	if (!table || machine_parse(host, table, scene, &mounts, &count) < 0)
		return refuse(host, err, errno, "/proc/self/mountinfo", "mount /proc");
	if (scene->root && find_whole(host, mounts, count, scene, err) < 0)
		return -1;
	return scene->whole ? 0 : find_directories(host, mounts, count, scene, err);
}

int machine_plan(const struct pinfold_host *host, const struct scene *scene, struct state *state,
		 struct pinfold_plan *plan)
{
	size_t count = 0;
	if (scene->region_count == 0)
		return 0;
	int *inherit = host->allocate(host, (scene->region_count + 1) * sizeof(*inherit));
	machine_release(state);
	if (!inherit) {
		close_regions((struct region *)scene->regions, scene->region_count);
		return -1;
	}
	for (size_t i = 0; i < scene->region_count; i++)
		if (scene->regions[i].below >= 0)
			inherit[count++] = scene->regions[i].below;
	inherit[count] = -1;
	state->machine = true;
	state->whole = scene->whole;
	state->inherit = inherit;
	plan->inherit = count ? inherit : NULL;
	plan->all_ids = scene->whole;
	return 0;
}

void machine_release(struct state *state)
{
	for (const int *fd = state ? state->inherit : NULL; fd && *fd >= 0; fd++)
		close(*fd);
	if (state)
		state->inherit = NULL;
}

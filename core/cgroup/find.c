/* cgroup/find.c - the caller's cgroups, from its own upward, as they are now. */
#include "config.h"

#include "cgroup/find.h"

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/text.h"
#include "cgroup/files.h"
#include "cgroup/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>

static const char no_hierarchy[] = "start Linux with one hierarchy of cgroups (systemd.unified_cgroup_hierarchy=1), "
				   "and in a container mount it at /sys/fs/cgroup";

static char *read_whole(const char *path)
{
	char *text = NULL;
	size_t bytes;
	return fd_read_path(path, 1 << 20, &text, &bytes) < 0 ? NULL : text;
}

static bool has_mark(int directory)
{
	static const char *const names[] = { "user.delegate", "trusted.delegate" };
	char value[4];
	for (size_t i = 0; i < N_ELEMENTS(names); i++)
		if (fgetxattr(directory, names[i], value, sizeof(value)) == 1 && value[0] == '1')
			return true;
	return false;
}

static void look(int directory, const char *name, struct level *level)
{
	char text[512];
	struct stat status;
	snprintf(level->name, sizeof(level->name), "%s", name);
	files_read(directory, "cgroup.controllers", text, sizeof(text));
	level->controllers = levels_controllers(text);
	files_read(directory, "cgroup.subtree_control", text, sizeof(text));
	level->enabled = levels_controllers(text);
	level->owned = fstat(directory, &status) == 0 && status.st_uid == geteuid();
	level->marked = has_mark(directory);
	level->managed = fstatat(directory, "init.scope", &status, AT_SYMLINK_NOFOLLOW) == 0;
	level->occupied = files_read(directory, "cgroup.procs", text, sizeof(text)) == 0 && text[0];
	level->first = fstatat(directory, "cgroup.type", &status, AT_SYMLINK_NOFOLLOW) < 0;
}

/* From the mount down to the caller's own, each a directory of the same file system. */
static int descend(int mount, char *path, struct found *found)
{
	char *rest = NULL;
	found->directories[found->count++] = mount;
	look(mount, "", &found->levels[0]);
	for (char *name = strtok_r(path, "/", &rest); name; name = strtok_r(NULL, "/", &rest)) {
		int above = found->directories[found->count - 1];
		auto_close int directory = found->count < LEVELS_MOST && strlen(name) < LEVEL_NAME_MOST ?
						   files_enter(above, name) : -1;
		if (directory < 0 || !mounts_is_of_kind(directory))
			return -1;
		look(directory, name, &found->levels[found->count]);
		found->directories[found->count++] = take_fd(&directory);
	}
	return 0;
}

static void turn_round(struct found *found)
{
	for (size_t i = 0; i < found->count / 2; i++) {
		size_t other = found->count - 1 - i;
		struct level level = found->levels[i];
		int directory = found->directories[i];
		found->levels[i] = found->levels[other];
		found->directories[i] = found->directories[other];
		found->levels[other] = level;
		found->directories[other] = directory;
	}
}

int find_levels(struct found *ret_found, struct group_refusal *refusal)
{
	ret_found->count = 0;
	auto_free char *text = read_whole("/proc/self/cgroup");
	const char *own = text ? levels_own_path(text) : NULL;
	if (!own)
		return group_refuse(refusal, "this machine has no cgroups of version 2", no_hierarchy);
	int mount = mounts_open(own, &ret_found->mount);
	if (mount < 0)
		return group_refuse(refusal, "the caller's own cgroup is nowhere to be seen: no mount of version 2 shows it",
				    no_hierarchy);
	auto_free char *path = strdup(ret_found->mount.below);
	if (!path || descend(mount, path, ret_found) < 0)
		return group_refuse(refusal, "the caller's own cgroup cannot be opened",
				    "start it anew in a cgroup that is there");
	ret_found->mount.below = NULL;
	turn_round(ret_found);
	return 0;
}

void find_look_again(struct found *found, size_t index)
{
	struct level *level = &found->levels[index];
	char name[LEVEL_NAME_MOST];
	snprintf(name, sizeof(name), "%s", level->name);
	look(found->directories[index], name, level);
}

void find_release(struct found *found)
{
	for (size_t i = 0; i < found->count; i++)
		close(found->directories[i]);
	found->count = 0;
}

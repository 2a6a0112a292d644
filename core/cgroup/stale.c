/* cgroup/stale.c - removing cgroups of runs: the own one, and those whose maker was killed. */
#include "config.h"

#include "cgroup/stale.h"

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/text.h"
#include "cgroup/files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

const char stale_prefix[] = "pinfold-run-";
const char stale_inner[] = "command";

/* Before Linux 5.14 nothing in a cgroup is ended by that: what lives on there is not waited for. */
enum { REMOVE_ROUNDS = 100, REMOVE_ROUNDS_UNKILLED = 5, DEPTH_MOST = 16 };

bool stale_lock(int place, const char *name, int directory)
{
	struct stat here, there;
	return flock(directory, LOCK_EX | LOCK_NB) == 0 && fstat(directory, &here) == 0 &&
	       fstatat(place, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && here.st_ino == there.st_ino &&
	       here.st_dev == there.st_dev;
}

/* The command may have made some below, where the arm lets it. */
static void remove_below(int directory, int depth)
{
	auto_closedir DIR *listing = depth > 0 ? fd_list(directory) : NULL;
	for (struct dirent *entry; listing && (entry = readdir(listing));) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		auto_close int below = files_enter(directory, entry->d_name);
		if (below >= 0)
			remove_below(below, depth - 1);
		unlinkat(directory, entry->d_name, AT_REMOVEDIR);
	}
}

/* What was killed takes a moment to be gone. */
void stale_remove(int place, const char *name, int directory)
{
	const struct timespec moment = { .tv_nsec = 10 * 1000000 };
	int rounds = REMOVE_ROUNDS;
	for (int round = 0; round < rounds; round++) {
		if (files_write(directory, "cgroup.kill", "1") < 0)
			rounds = REMOVE_ROUNDS_UNKILLED;
		remove_below(directory, DEPTH_MOST);
		if (unlinkat(place, name, AT_REMOVEDIR) == 0 || errno != EBUSY)
			return;
		nanosleep(&moment, NULL);
	}
}

static void reap(int place, const char *name)
{
	struct stat status;
	auto_close int directory = files_enter(place, name);
	if (directory < 0 || fstat(directory, &status) < 0 || status.st_uid != geteuid())
		return;
	if (stale_lock(place, name, directory))
		stale_remove(place, name, directory);
}

void stale_reap(int place)
{
	auto_closedir DIR *listing = fd_list(place);
	for (struct dirent *entry; listing && (entry = readdir(listing));)
		if (starts_with(entry->d_name, stale_prefix))
			reap(place, entry->d_name);
}

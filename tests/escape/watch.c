/* escape/watch.c - see watch.h. */
#include "config.h"

#include "watch.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static uint64_t sum;
static size_t cut;
static const char *skipped;
static bool loose;	/* another name for a file is no change of it */

static uint64_t mix(uint64_t hash, const void *bytes, size_t count)
{
	const unsigned char *byte = bytes;
	for (size_t i = 0; i < count; i++)
		hash = (hash ^ byte[i]) * 0x100000001b3u;
	return hash;
}

/* Names, kinds, modes, owners; sizes and times of what is not a directory: of those the change time tells everything. */
static int add_entry(const char *path, const struct stat *status, int kind, struct FTW *at)
{
	struct {
		uint64_t inode, mode, user, group, size, seconds, nanoseconds, links;
	} known = { status->st_ino, status->st_mode, status->st_uid, status->st_gid, 0, 0, 0, 0 };
	(void)kind;
	(void)at;
	if (skipped && strncmp(path, skipped, strlen(skipped)) == 0)
		return 0;
	if (!S_ISDIR(status->st_mode) && !S_ISSOCK(status->st_mode) && !S_ISFIFO(status->st_mode)) {
		known.size = (uint64_t)status->st_size;
		struct timespec changed = loose ? status->st_mtim : status->st_ctim;
		known.seconds = (uint64_t)changed.tv_sec;
		known.nanoseconds = (uint64_t)changed.tv_nsec;
		known.links = loose ? 0 : status->st_nlink;
	}
	sum += mix(mix(0xcbf29ce484222325u, path + cut, strlen(path + cut)), &known, sizeof(known));
	return 0;
}

static uint64_t picture(const char *directory, const char *skip)
{
	sum = 0;
	cut = strlen(directory);
	skipped = skip;
	nftw(directory, add_entry, 16, FTW_PHYS);
	return sum;
}

static uint64_t names(const char *directory)
{
	uint64_t total = 0;
	DIR *open_directory = opendir(directory);
	for (struct dirent *entry; open_directory && (entry = readdir(open_directory));)
		total += mix(0xcbf29ce484222325u, entry->d_name, strlen(entry->d_name));
	if (open_directory)
		closedir(open_directory);
	return total;
}

void watch_look(struct world *world, struct sight *sight, bool names_may_change)
{
	loose = names_may_change;
	char own[PATH_ROOM + 32];
	snprintf(own, sizeof(own), "%s/.cache/pinfold", world->home);
	sight->loose = names_may_change;
	sight->outside = picture(world->outside, NULL);
	sight->home = picture(world->home, own);
	sight->tree = picture(world->tree, NULL);
	sight->runtime = picture(world->runtime, NULL);
	sight->callers = names(world->callers);
	sight->base = names(world->base);
	sight->messages = services_count(world);
}

void watch_add(struct effects *effects, const char *text)
{
	size_t length = strlen(effects->text);
	snprintf(effects->text + length, sizeof(effects->text) - length, "%s%s", length ? "; " : "", text);
}

/* Where the token is a name. */
static void find_names(struct world *world, const char *token, struct effects *effects)
{
	const char *const places[] = { "/tmp", "/var/tmp", "/dev/shm", "/etc", "/tmp/.cargo", world->base };
	char path[PATH_ROOM + 64];
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", places[i], token);
		if (access(path, F_OK) < 0)
			continue;
		watch_add(effects, "a file was made in ");
		strncat(effects->text, places[i], sizeof(effects->text) - strlen(effects->text) - 1);
		unlink(path);
		if (i == 4)
			rmdir(places[i]);
	}
	snprintf(path, sizeof(path), "%s/.cache/pinfold/%s", world->home, token);
	if (unlink(path) == 0)
		watch_add(effects, "a file was made in pinfold's records");
}

static bool has_flags(const struct world *world)
{
	char path[PATH_ROOM + 16];
	int flags = 0;
	snprintf(path, sizeof(path), "%s/file", world->outside);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	bool has = fd >= 0 && ioctl(fd, _IOR('f', 1, long), &flags) == 0 && (flags & 0x40);
	if (fd >= 0)
		close(fd);
	return has;
}

void watch_compare(struct world *world, const struct sight *before, const char *token, bool trees, struct effects *effects)
{
	struct sight now;
	const char *what;
	watch_look(world, &now, before->loose);
	if (now.outside != before->outside || has_flags(world))
		watch_add(effects, "files outside are different");
	if (now.home != before->home)
		watch_add(effects, "the home is different");
	if (trees && now.tree != before->tree)
		watch_add(effects, "the tree is different");
	if (now.runtime != before->runtime)
		watch_add(effects, "the runtime directory is different");
	if (now.callers != before->callers)
		watch_add(effects, "the caller's TMPDIR is different");
	if (now.base != before->base)
		watch_add(effects, "what lies beside the tree is different");
	if (now.messages != before->messages)
		watch_add(effects, "a service was reached");
	if (!victim_is_whole(world, &what))
		watch_add(effects, what);
	if ((what = objects_changed(world)))
		watch_add(effects, what);
	find_names(world, token, effects);
}

bool watch_finds_secret(const struct world *world, const char *bytes, size_t count)
{
	for (size_t i = 0; i < world->secret_count; i++)
		if (memmem(bytes, count, world->secrets[i], strlen(world->secrets[i])))
			return true;
	return false;
}

unsigned watch_survivors(const char *token, bool end_them)
{
	char path[300], name[64], state;
	unsigned found = 0;
	DIR *all = opendir("/proc");
	for (struct dirent *entry; all && (entry = readdir(all));) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/stat", entry->d_name);
		FILE *file = fopen(path, "re");
		if (file && fscanf(file, "%*d (%60[^)]) %c", name, &state) == 2 && strcmp(name, token) == 0 && state != 'Z' &&
		    state != 'X') {
			found++;
			if (end_them)
				kill(atoi(entry->d_name), SIGKILL);
		}
		if (file)
			fclose(file);
	}
	if (all)
		closedir(all);
	return found;
}

static const char *tree_fault;
static size_t tree_length;

/* Judged by what it is and by its name: of what was not there at first. */
static int vet_entry(const char *path, const struct stat *status, int kind, struct FTW *at)
{
	static const char *const risky[] = { "/.git/hooks/", "/.git/config", "/.vscode/", "/.github/workflows/", "/.husky/",
					     "/.envrc", "/.gitmodules" };
	const char *name = path + tree_length;
	char target[PATH_ROOM];
	(void)kind;
	(void)at;
	for (size_t i = 0; i < sizeof(risky) / sizeof(risky[0]); i++)
		if (strncmp(name, risky[i], strlen(risky[i])) == 0)
			tree_fault = "a risky place was applied without being named";
	if (S_ISREG(status->st_mode) && (status->st_mode & (S_ISUID | S_ISGID)) &&
	    (strcmp(name, "/suid") != 0 || status->st_size != 5))
		tree_fault = "a set-user-ID file was applied";
	if (S_ISFIFO(status->st_mode) || S_ISSOCK(status->st_mode) || S_ISCHR(status->st_mode) || S_ISBLK(status->st_mode))
		tree_fault = "a pipe, socket or device was applied";
	if (S_ISREG(status->st_mode) && getxattr(path, "security.capability", target, sizeof(target)) > 0)
		tree_fault = "a file with capabilities was applied";
	if (strcmp(name, "/.git") == 0 && S_ISREG(status->st_mode))
		tree_fault = "a .git that leads elsewhere was applied";
	if (S_ISLNK(status->st_mode) && strcmp(name, "/link") != 0 && strcmp(name, "/linked") != 0 &&
	    strcmp(name, "/report.json") != 0) {
		ssize_t length = readlink(path, target, sizeof(target) - 1);
		if (length > 0 && (target[0] == '/' || strncmp(target, "..", 2) == 0))
			tree_fault = "a link that leads out was applied";
	}
	return 0;
}

const char *watch_tree(const struct world *world)
{
	tree_fault = NULL;
	tree_length = strlen(world->tree);
	nftw(world->tree, vet_entry, 16, FTW_PHYS);
	return tree_fault;
}

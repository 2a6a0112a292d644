/* escape/masks.c - reading what is hidden: by other names, around what lies over it, and by races. */
#include "config.h"

#include "case.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *secret(void) { return fact("secret"); }

static long read_it(void) { return tell(secret()); }
static long read_named(void) { return tell(fact("hidden")); }
static long read_in_tree(void) { return tell(".secret"); }
static long read_by_own_root(void) { return tell(beside("/proc/self/root", secret() + 1)); }
static long read_from_above(void) { return tell(beside("/..", secret() + 1)); }

static long read_by_link(void)
{
	unlink("to-secret");
	if (symlink(secret(), "to-secret") < 0)
		return -errno;
	return tell("to-secret");
}

static long read_by_directory_link(void)
{
	unlink("to-home");
	if (symlink(fact("home"), "to-home") < 0)
		return -errno;
	return tell("to-home/.ssh/../.ssh/id_secret");
}

static long read_by_hard_link(void)
{
	unlink("hard-secret");
	if (link(secret(), "hard-secret") < 0)
		return -errno;
	return tell("hard-secret");
}

static long read_alias(void) { return tell(fact("secret_alias")); }

static long read_by_descriptor(void)
{
	char path[64];
	int fd = open(secret(), O_PATH | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return tell(path);
}

static long read_beneath(void)
{
	struct open_how how = { .flags = O_RDONLY, .resolve = RESOLVE_NO_XDEV };
	char path[64];
	int root = open("/", O_PATH);
	int fd = (int)syscall(SYS_openat2, root, secret() + 1, &how, sizeof(how));
	if (fd < 0)	/* the mask may be another file system: that is then what refuses */
		fd = openat(root, secret() + 1, O_RDONLY);
	if (fd < 0)
		return -errno;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return tell(path);
}

static long move_parent(void)
{
	char moved[512], file[600];
	if (!unconfined) {	/* in the real home it would come to the same as reading it */
		snprintf(moved, sizeof(moved), "%s/moved", fact("home"));
		if (rename(beside(fact("home"), ".ssh"), moved) == 0) {
			snprintf(file, sizeof(file), "%s/id_secret", moved);
			return tell(file);
		}
		snprintf(moved, sizeof(moved), "%s-moved", fact("home"));
		if (rename(fact("home"), moved) == 0) {
			snprintf(file, sizeof(file), "%s/.ssh/id_secret", moved);
			return tell(file);
		}
	}
	return tell(secret());
}

static long move_in_tree(void)
{
	rename(".secret", "renamed-secret");
	long result = tell("renamed-secret");
	if (unconfined)
		rename("renamed-secret", ".secret");
	return result;
}

static long copy_out(void)
{
	int from = open(secret(), O_RDONLY), to = open("copied", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (from < 0 || to < 0)
		return -errno;
	if (copy_file_range(from, NULL, to, NULL, 100, 0) < 0 && sendfile(to, from, NULL, 100) < 0)
		return -errno;
	return tell("copied");
}

static long map_it(void)
{
	int fd = open(secret(), O_RDONLY);
	if (fd < 0)
		return -errno;
	char *bytes = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	if (bytes == MAP_FAILED)
		return -errno;
	say(bytes, 40);
	return 0;
}

static volatile int racing;

/* The name in the tree is now a directory of its own and now a link to what is hidden. */
static void *swap_names(void *unused)
{
	mkdir("race", 0700);
	if (symlink(beside(fact("home"), ".ssh"), "race-link") < 0 && errno != EEXIST)
		return unused;
	while (racing)
		syscall(SYS_renameat2, AT_FDCWD, "race", AT_FDCWD, "race-link", 2 /* EXCHANGE */);
	return unused;
}

static long race(void)
{
	pthread_t thread;
	long result = -ENOENT;
	racing = 1;
	if (pthread_create(&thread, NULL, swap_names, NULL) != 0)
		return -errno;
	for (int i = 0; i < 20000 && result != 0; i++)
		result = tell("race/id_secret");
	racing = 0;
	pthread_join(thread, NULL);
	return result;
}

static long write_over(void)
{
	return put(open(secret(), O_WRONLY));
}

static long make_missing(void)
{
	return make(beside(fact("home"), ".netrc"));
}

static long look_at_it(void)
{
	struct stat status = { 0 };
	long result = done(stat(secret(), &status));
	return result == 0 && status.st_size > 0 ? 0 : result < 0 ? result : -ENOENT;
}

static long look_into_scratch(void)
{
	struct stat status;
	return done(stat(beside(fact("home"), ".cache/pinfold/copies"), &status));
}

static long read_by_handle(void)
{
	struct { unsigned bytes; int type; unsigned char handle[128]; } handle = { .bytes = 128 };
	char path[64];
	/* The host knows the handle; so would whoever guesses the inode. */
	if (sscanf(fact("secret_handle"), "%u:%d:", &handle.bytes, &handle.type) != 2)
		return lack("the file system gives no handles");
	const char *digits = strrchr(fact("secret_handle"), ':') + 1;
	for (unsigned i = 0; i < handle.bytes; i++)
		sscanf(digits + 2 * i, "%2hhx", &handle.handle[i]);
	int directory = open(fact("outside"), O_RDONLY | O_DIRECTORY);
	int fd = (int)syscall(SYS_open_by_handle_at, directory, &handle, O_RDONLY);
	if (fd < 0)
		return -errno;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return tell(path);
}

static long name_handle(void)
{
	struct { unsigned bytes; int type; unsigned char handle[128]; } handle = { .bytes = 128 };
	int mount;
	return done(syscall(SYS_name_to_handle_at, AT_FDCWD, "/etc/passwd", &handle, &mount, 0));
}

#define HIDDEN(name, how, function, mechanism, source) \
	{ name, "secrets", how, function, &reads_outside, mechanism, source }
static const struct row rows[] = {
	HIDDEN("secret", 0, read_it, "a hidden file of the home is read", "the default preset"),
	HIDDEN("secret-named", 0, read_named, "a file that was named as hidden is read", "pinfold.conf(5)"),
	HIDDEN("secret-in-the-tree", 0, read_in_tree, "a hidden file of the tree is read in its copy", "CVE-2025-55345"),
	HIDDEN("secret-by-own-root", 0, read_by_own_root, "through /proc/self/root", "magic links, proc(5)"),
	HIDDEN("secret-from-above", 0, read_from_above, "through `..` of the root", "path_resolution(7)"),
	HIDDEN("secret-by-link", 0, read_by_link, "through a symbolic link in the tree", "CVE-2026-25724, CVE-2026-39861"),
	HIDDEN("secret-by-directory-link", 0, read_by_directory_link, "through a link to the home and `..`", "CVE-2026-39861"),
	HIDDEN("secret-by-hard-link", 0, read_by_hard_link, "through a hard link that the command makes", "link(2)"),
	HIDDEN("secret-by-descriptor", 0, read_by_descriptor, "through O_PATH and /proc/self/fd", "proc(5)"),
	HIDDEN("secret-by-openat2", 0, read_beneath, "through openat2() that crosses no mount", "openat2(2)"),
	HIDDEN("secret-parent-moved", 0, move_parent, "a directory above it is renamed away", "CVE-2026-25724"),
	HIDDEN("secret-moved-in-the-tree", 0, move_in_tree, "the hidden file of the tree is renamed", "CVE-2026-25724"),
	HIDDEN("secret-copied", 0, copy_out, "the kernel copies it: copy_file_range(), sendfile()", "sendfile(2)"),
	HIDDEN("secret-mapped", 0, map_it, "it is mapped", "mmap(2)"),
	HIDDEN("secret-by-race", 0, race, "a name in the tree is exchanged with a link to it while it is opened", "CVE-2025-55345"),
	{ "secret-looked-at", "secrets", BY_WORD, look_at_it, &reads_outside, "stat() of a hidden file tells its size and times",
	  "seen past Landlock", "looked at" },
	HIDDEN("secret-by-handle", 0, read_by_handle, "open_by_handle_at() needs no path", "the shocker exploit of Docker, 2014"),
	{ "handle-of-a-file", "kernel", BY_WORD, name_handle, &reads_outside,
	  "name_to_handle_at() gives the handles that open_by_handle_at() takes", "open_by_handle_at(2)" },
	{ "secret-alias", "secrets", 0, read_alias, &reads_outside,
	  "a hard link outside that was there before shows the same file", "pinfold-namespaces(7)", "hard link|another name" },
	{ "secret-written", "writes", 0, write_over, &writes_in_the_tree, "a hidden file is written though it cannot be read", "open(2)" },
	{ "hidden-path-made", "writes", 0, make_missing, &writes_in_the_tree,
	  "a hidden path that does not exist yet is made by the command", "CVE-2026-25725, GHSA-ff64-7w26-62rf" },
	HIDDEN("scratch-in-sight", BY_WORD, look_into_scratch, "other trees' copies, and pinfold's records, are looked into", "Nix and Lix releases of 2025"),
};
const struct class masks_class = CLASS("mounts over masks, hidden paths, handles", rows);

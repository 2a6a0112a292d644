/* escape/mounts.c - namespaces and mounts of its own, to undo what was laid. What they would change on the real
 * machine is not tried without confinement: there the write or the read that follows is. */
#include "config.h"

#include "case.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MS_REMOUNT_BIND_RW (32UL | 4096UL)
#define MNT_DETACH_FLAG 2

static long make_outside(void)
{
	return make(beside(fact("outside"), token));
}

static long raw_mount(const char *from, const char *to, const char *type, unsigned long flags)
{
	return unconfined ? 0 : done(syscall(SYS_mount, from, to, type, flags, NULL));
}

static void own_users(void)
{
	char line[64];
	int uid = (int)geteuid(), gid = (int)getegid();
	if (unconfined || syscall(SYS_unshare, CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return;
	int fd = open("/proc/self/setgroups", O_WRONLY);
	if (fd >= 0 && write(fd, "deny", 4) < 0)
		_exit(1);
	fd = open("/proc/self/uid_map", O_WRONLY);
	int length = snprintf(line, sizeof(line), "0 %d 1", uid);
	if (fd >= 0 && write(fd, line, (size_t)length) < 0)
		_exit(1);
	fd = open("/proc/self/gid_map", O_WRONLY);
	length = snprintf(line, sizeof(line), "0 %d 1", gid);
	if (fd >= 0 && write(fd, line, (size_t)length) < 0)
		_exit(1);
}

static long new_users(void) { return done(syscall(SYS_unshare, CLONE_NEWUSER)); }
static long new_mounts(void) { return done(syscall(SYS_unshare, CLONE_NEWNS)); }
static long new_processes(void) { return done(syscall(SYS_unshare, CLONE_NEWUSER | CLONE_NEWPID)); }
static long new_network(void) { return done(syscall(SYS_unshare, CLONE_NEWUSER | CLONE_NEWNET)); }

static long cloned(unsigned long flags)
{
	long child = syscall(SYS_clone, flags | 17, NULL, NULL, NULL, NULL);
	if (child == 0)
		_exit(0);
	if (child < 0)
		return -errno;
	waitpid((pid_t)child, NULL, 0);
	return 0;
}

static long clone_users(void) { return cloned(CLONE_NEWUSER); }

static long clone3_users(void)
{
	struct { unsigned long flags, pidfd, child, parent, signal, stack, size, tls; } arguments = { CLONE_NEWUSER, 0, 0, 0, 17, 0, 0, 0 };
	long child = syscall(SYS_clone3, &arguments, sizeof(arguments));
	if (child == 0)
		_exit(0);
	if (child < 0)
		return -errno;
	waitpid((pid_t)child, NULL, 0);
	return 0;
}

static long remount(void)
{
	raw_mount(NULL, "/", NULL, MS_REMOUNT_BIND_RW);
	raw_mount(NULL, fact("outside"), NULL, MS_REMOUNT_BIND_RW);
	return make_outside();
}

static long remount_nested(void)
{
	own_users();
	return remount();
}

static long set_attributes(void)
{
	struct { unsigned long set, clear, propagation, users; } attributes = { 0, 1 /* RDONLY */, 0, 0 };
	if (!unconfined)
		syscall(SYS_mount_setattr, AT_FDCWD, "/", 0x8000 /* AT_RECURSIVE */, &attributes, sizeof(attributes));
	return make_outside();
}

static long set_attributes_nested(void)
{
	own_users();
	return set_attributes();
}

/* A detached copy of a mount has no mask over it. */
static long open_copy(void)
{
	own_users();
	int fd = unconfined ? open("/", O_PATH) : (int)syscall(SYS_open_tree, AT_FDCWD, "/", 1 /* CLONE */);
	if (fd < 0)
		fd = open("/", O_PATH);
	int file = openat(fd, fact("hidden") + 1, O_RDONLY);
	char path[64];
	if (file < 0)
		return -errno;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	return tell(path);
}

static long uncover(const char *mask, const char *secret)
{
	own_users();
	if (!unconfined)
		syscall(SYS_umount2, mask, MNT_DETACH_FLAG);
	return tell(secret);
}

static long uncover_file(void) { return uncover(fact("hidden"), fact("hidden")); }
static long uncover_home(void) { return uncover(beside(fact("home"), ".ssh"), fact("secret")); }
static long uncover_tree(void)
{
	own_users();
	if (!unconfined)
		syscall(SYS_umount2, fact("tree"), MNT_DETACH_FLAG);
	return make(beside(fact("tree"), token));
}

static long bind_elsewhere(void)
{
	own_users();
	mkdir("elsewhere", 0700);
	if (raw_mount(beside(fact("home"), "."), "elsewhere", NULL, 4096 | 16384) < 0 || unconfined)
		return tell(fact("secret"));
	long result = tell("elsewhere/.ssh/id_secret");
	return result;
}

static long fresh_proc(void)
{
	own_users();
	mkdir("proc", 0700);
	if (!unconfined && raw_mount("proc", "proc", "proc", 0) < 0)
		return -EPERM;
	char path[64];
	snprintf(path, sizeof(path), "%s/%s/environ", unconfined ? "/proc" : "proc", fact("victim"));
	return tell(path);
}

static long change_root(void)
{
	int root = open("/", O_RDONLY | O_DIRECTORY);
	own_users();
	mkdir("jail", 0700);
	if (!unconfined && syscall(SYS_chroot, "jail") == 0 && fchdir(root) == 0)
		for (int i = 0; i < 64; i++)
			if (chdir("..") < 0)
				break;
	return make_outside();
}

static long turn_root(void)
{
	own_users();
	if (!unconfined)
		syscall(SYS_pivot_root, ".", ".");
	return make_outside();
}

static long overlay_over(void)
{
	char options[600];
	own_users();
	mkdir("upper", 0700);
	mkdir("work", 0700);
	mkdir("merged", 0700);
	snprintf(options, sizeof(options), "lowerdir=%s,upperdir=upper,workdir=work", fact("home"));
	if (!unconfined && syscall(SYS_mount, "overlay", "merged", "overlay", 0UL, options) == 0)
		return tell("merged/.ssh/id_secret");
	return tell(fact("secret"));
}

static long new_file_system(void) { return opened((int)syscall(SYS_fsopen, "tmpfs", 0)); }
static long pick_file_system(void) { return opened((int)syscall(SYS_fspick, AT_FDCWD, "/", 0)); }

static long join(const char *kind)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%s/ns/%s", fact("victim"), kind);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return done(syscall(SYS_setns, fd, 0));
}

static long join_mounts(void)
{
	long result = join("mnt");
	return result < 0 ? result : make_outside();
}

static long join_network(void) { return join("net"); }

static long join_by_process(void)
{
	int fd = (int)syscall(SYS_pidfd_open, (int)number("victim"), 0);
	if (fd < 0)
		return -errno;
	if (syscall(SYS_setns, fd, CLONE_NEWNS) < 0)
		return -errno;
	return make_outside();
}

/* A parent namespace of one's own is had from the descriptor of the namespace. */
static long climb(void)
{
	int fd = open("/proc/self/ns/user", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	int parent = ioctl(fd, 0xb702 /* NS_GET_PARENT */);
	if (parent < 0)
		return -errno;
	return done(syscall(SYS_setns, parent, 0));
}

static const struct row rows[] = {
	{ "unshare-users", "kernel", BY_WORD, new_users, &starts_children,
	  "a user namespace of its own gives every capability in it", "CVE-2022-0492, CVE-2023-0386 and many", "nested = yes" },
	{ "unshare-mounts", "kernel", BY_WORD, new_mounts, &starts_children, "a mount namespace of its own", "mount_namespaces(7)", "nested = yes" },
	{ "unshare-processes", "kernel", BY_WORD, new_processes, &starts_children, "a pid namespace below a user namespace", "pid_namespaces(7)", "nested = yes" },
	{ "unshare-network", "kernel", BY_WORD, new_network, &starts_children,
	  "a network of its own opens netfilter and many protocols", "CVE-2022-25636, CVE-2023-32233, CVE-2024-1086", "nested = yes" },
	{ "clone-users", "kernel", BY_WORD, clone_users, &starts_children, "clone() with CLONE_NEWUSER", "clone(2)", "nested = yes" },
	{ "clone3-users", "kernel", BY_WORD, clone3_users, &starts_threads,
	  "clone3() has its flags in memory, out of a filter's sight", "GHSA-67hx-6x53-jw92 (flatpak)", "nested = yes" },
	{ "remount", "writes", 0, remount, &writes_in_the_tree, "the read-only mount is made writable again", "seen with bubblewrap as root" },
	{ "remount-nested", "writes", 0, remount_nested, &writes_in_the_tree,
	  "the same with the capabilities of a user namespace of its own", "CVE-2021-41133" },
	{ "mount-setattr", "writes", 0, set_attributes, &writes_in_the_tree, "mount_setattr() clears read-only for every mount", "CVE-2021-41133" },
	{ "mount-setattr-nested", "writes", 0, set_attributes_nested, &writes_in_the_tree, "the same in a user namespace of its own", "CVE-2021-41133" },
	{ "open-tree", "secrets", 0, open_copy, &reads_outside, "open_tree() of the root gives a copy of the mount without what lies over it", "CVE-2021-41133" },
	{ "umount-hidden", "secrets", 0, uncover_file, &reads_outside, "what hides a file is unmounted", "umount(2)" },
	{ "umount-hidden-directory", "secrets", 0, uncover_home, &reads_outside, "what hides a directory is unmounted", "umount(2)" },
	{ "umount-tree", "filesystem", 0, uncover_tree, &writes_in_the_tree, "the copy is unmounted from the tree", "umount(2)", "absolute path" },
	{ "bind-elsewhere", "secrets", 0, bind_elsewhere, &reads_outside, "the home is bound elsewhere, without what lies over it", "mount(2)" },
	{ "fresh-proc", "processes", 0, fresh_proc, &has_its_proc, "another /proc is mounted", "CVE-2025-31133" },
	{ "chroot-and-back", "writes", 0, change_root, &writes_in_the_tree, "chroot() and a directory held open lead out of a root", "chroot(2)" },
	{ "pivot-root", "writes", 0, turn_root, &writes_in_the_tree, "pivot_root() uncovers the old root", "pivot_root(2)" },
	{ "overlay-over-the-home", "secrets", 0, overlay_over, &reads_outside, "an overlay over the home shows what is hidden in it", "CVE-2023-0386, CVE-2021-26910" },
	{ "fsopen", "kernel", BY_WORD, new_file_system, &starts_children, "the newer calls make a file system", "CVE-2022-0185", "nested = yes" },
	{ "fspick", "kernel", BY_WORD, pick_file_system, &starts_children, "fspick() takes the root's file system to configure it", "fspick(2)", "nested = yes" },
	{ "setns-mounts", "writes", 0, join_mounts, &writes_in_the_tree, "the mount namespace of a process outside is joined", "setns(2)" },
	{ "setns-network", "network", BY_WORD, join_network, &has_its_loopback, "the network namespace of a process outside is joined", "setns(2)" },
	{ "setns-by-process", "writes", 0, join_by_process, &writes_in_the_tree, "the namespaces of a process outside are joined by its pidfd", "CVE-2022-31214" },
	{ "parent-namespace", "user", BY_WORD, climb, &starts_children, "the namespace above is asked for, and joined", "ioctl_ns(2)" },
};
const struct class mounts_class = CLASS("namespaces and mounts of its own", rows);

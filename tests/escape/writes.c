/* escape/writes.c - changing what lies outside of the view by every call that changes anything. */
#include "config.h"

#include "case.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char *file(void) { return beside(fact("outside"), "file"); }
static const char *new_name(void) { return beside(fact("outside"), token); }

static long create(void) { return make(new_name()); }
static long over_write(void) { return put(open(file(), O_WRONLY)); }
static long append(void) { return put(open(file(), O_WRONLY | O_APPEND)); }
static long cut(void) { return done(truncate(file(), 1)); }
static long empty(void) { return opened(open(file(), O_RDONLY | O_TRUNC)); }
static long change_mode(void) { return done(chmod(file(), 0751)); }
static long change_owner(void) { return done(chown(file(), geteuid(), getegid())); }
static long change_times(void) { return done(utimensat(AT_FDCWD, file(), NULL, 0)); }
static long set_attribute(void) { return done(setxattr(file(), "user.escape", token, 4, 0)); }
static long remove_attribute(void) { return done(removexattr(file(), "user.mark")); }
static long make_directory(void) { return done(mkdir(new_name(), 0700)); }
static long make_pipe(void) { return done(mkfifo(new_name(), 0600)); }
static long make_link(void) { return done(symlink("x", new_name())); }
static long make_name(void) { return done(link(file(), new_name())); }
static long rename_it(void) { return done(rename(file(), new_name())); }
static long remove_it(void) { return done(unlink(beside(fact("outside"), "other"))); }
static long remove_directory(void) { return done(rmdir(beside(fact("outside"), "empty"))); }

static long move_in(void)
{
	long result = make("mine");
	return result < 0 ? result : done(rename("mine", new_name()));
}

static long move_out(void)
{
	return done(rename(beside(fact("outside"), "other"), "taken"));
}

static long exchange(void)
{
	long result = make("mine");
	return result < 0 ? result : done(syscall(SYS_renameat2, AT_FDCWD, "mine", AT_FDCWD, file(), 2 /* EXCHANGE */));
}

static long without_name(void)
{
	char path[64];
	int fd = open(fact("outside"), O_TMPFILE | O_WRONLY, 0600);
	if (fd < 0)
		return -errno;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return done(linkat(AT_FDCWD, path, AT_FDCWD, new_name(), AT_SYMLINK_FOLLOW));
}

static long by_mapping(void)
{
	int fd = open(file(), O_RDWR);
	if (fd < 0)
		return -errno;
	char *bytes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (bytes == MAP_FAILED)
		return -errno;
	bytes[0] = '#';
	return done(msync(bytes, 4096, MS_SYNC));
}

/* A mapping that cannot be written, written through the process's own memory: it must be a private page. */
static long by_own_memory(void)
{
	int fd = open(file(), O_RDONLY), memory = open("/proc/self/mem", O_RDWR);
	char *bytes = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	if (fd < 0 || memory < 0 || bytes == MAP_FAILED)
		return -errno;
	if (unconfined)		/* the kernel refuses it anywhere: what it would do is done instead */
		return put(open(file(), O_WRONLY));
	return done(pwrite(memory, "#", 1, (off_t)(size_t)bytes));
}

static long reopen(const char *directory)
{
	char name[16];
	int fd = open(file(), O_RDONLY);
	if (fd < 0)
		return -errno;
	snprintf(name, sizeof(name), "%d", fd);
	return put(open(beside(directory, name), O_WRONLY));
}

static long by_descriptor_link(void) { return reopen("/proc/self/fd"); }
static long by_dev_fd(void) { return reopen("/dev/fd"); }
static long by_thread_link(void) { return reopen("/proc/thread-self/fd"); }
static long by_own_root(void) { return make(beside("/proc/self/root", new_name() + 1)); }
static long by_own_cwd(void)
{
	return chdir(fact("outside")) < 0 ? -errno : make(beside("/proc/self/cwd", token));
}

static long allocate(void)
{
	int fd = open(file(), O_RDWR);
	return fd < 0 ? -errno : done(fallocate(fd, 0, 0, 65536));
}

static long set_flags(void)
{
	int fd = open(file(), O_RDONLY), flags = 0;
	if (fd < 0 || ioctl(fd, FS_IOC_GETFLAGS, &flags) < 0)
		return -errno;
	flags ^= FS_NODUMP_FL;
	return done(ioctl(fd, FS_IOC_SETFLAGS, &flags));
}

static long set_project(void)
{
	struct fsxattr attributes;
	int fd = open(file(), O_RDONLY);
	if (fd < 0 || ioctl(fd, FS_IOC_FSGETXATTR, &attributes) < 0)
		return -errno;
	attributes.fsx_xflags ^= FS_XFLAG_NODUMP;
	return done(ioctl(fd, FS_IOC_FSSETXATTR, &attributes));
}

static long mode_by_descriptor(void)
{
	int fd = open(file(), O_RDONLY);
	return fd < 0 ? -errno : done(fchmod(fd, 0713));
}

static long times_by_descriptor(void)
{
	int fd = open(file(), O_RDONLY);
	return fd < 0 ? -errno : done(futimens(fd, NULL));
}

static long attribute_by_descriptor(void)
{
	int fd = open(file(), O_RDONLY);
	return fd < 0 ? -errno : done(fsetxattr(fd, "user.escape", token, 4, 0));
}

static long by_pipe(void)
{
	return put(open(fact("fifo"), O_WRONLY | O_NONBLOCK));
}

static long by_pipe_in_tmp(void)
{
	return put(open(fact("fifo_tmp"), O_WRONLY | O_NONBLOCK));
}

static long change_program(void)
{
	return opened(open(fact("program"), O_WRONLY | O_APPEND));
}

static long change_module(void)
{
	return opened(open(fact("module"), O_WRONLY | O_APPEND));
}

static long make_system_file(void)
{
	return make(beside("/etc", token));
}

static long use_device(void)
{
	static const char *const disks[] = { "/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/xvda", "/dev/mem", "/dev/port" };
	long result = -ENOENT;
	for (size_t i = 0; i < sizeof(disks) / sizeof(disks[0]) && result != 0; i++) {
		long tried = opened(open(disks[i], O_RDWR | O_NONBLOCK | O_CLOEXEC));
		if (tried != -ENOENT)
			result = tried;
	}
	return result;
}

static long make_device(void)
{
	unlink("device");
	if (mknod("device", S_IFBLK | 0600, (dev_t)fact("disk")[0] ? (dev_t)number("disk") : 0) < 0)
		return -errno;
	long result = opened(open("device", O_RDONLY | O_NONBLOCK));
	unlink("device");
	return result == -ENXIO ? 0 : result;
}

static long change_loop(void)
{
	return opened(open("/dev/loop-control", O_RDWR | O_CLOEXEC));
}

static long change_fuse(void)
{
	return opened(open("/dev/fuse", O_RDWR | O_CLOEXEC));
}

#define OUTSIDE(name, function, mechanism, source) { name, "writes", 0, function, &writes_in_the_tree, mechanism, source }
static const struct row rows[] = {
	OUTSIDE("create", create, "a file is made outside", "open(2)"),
	OUTSIDE("overwrite", over_write, "a file outside is written", "open(2)"),
	OUTSIDE("append", append, "a file outside is added to", "open(2)"),
	OUTSIDE("truncate", cut, "a file outside is cut by its path", "truncate(2); Landlock before ABI 3"),
	OUTSIDE("truncate-on-open", empty, "a file outside is opened for reading, with O_TRUNC", "open(2)"),
	OUTSIDE("chmod", change_mode, "the mode of a file outside is changed", "seen past Landlock"),
	OUTSIDE("chown", change_owner, "the owner of a file outside is set, to what he is", "seen past Landlock"),
	OUTSIDE("times", change_times, "the times of a file outside are set, so that builds leave it out or do it again", "seen past Landlock"),
	OUTSIDE("attribute", set_attribute, "an extended attribute of a file outside is set", "seen past Landlock"),
	OUTSIDE("attribute-removed", remove_attribute, "an extended attribute of a file outside is removed", "setxattr(2)"),
	OUTSIDE("mkdir", make_directory, "a directory is made outside", "mkdir(2)"),
	OUTSIDE("mkfifo", make_pipe, "a named pipe is made outside", "mknod(2)"),
	OUTSIDE("symlink", make_link, "a symbolic link is made outside", "CVE-2026-39861"),
	OUTSIDE("link", make_name, "a file outside gets another name", "link(2)"),
	OUTSIDE("rename", rename_it, "a file outside is renamed", "rename(2)"),
	OUTSIDE("unlink", remove_it, "a file outside is removed", "unlink(2)"),
	OUTSIDE("rmdir", remove_directory, "a directory outside is removed", "rmdir(2)"),
	OUTSIDE("moved-out-of-the-tree", move_in, "a file of the tree is renamed to a place outside", "Landlock before ABI 2"),
	OUTSIDE("moved-into-the-tree", move_out, "a file outside is renamed into the tree", "Landlock before ABI 2"),
	OUTSIDE("exchange", exchange, "a file of the tree is exchanged with one outside", "rename(2)"),
	OUTSIDE("file-without-name", without_name, "O_TMPFILE and a link", "open(2)"),
	OUTSIDE("shared-mapping", by_mapping, "a file outside is mapped and written", "mmap(2)"),
	OUTSIDE("own-memory", by_own_memory, "a read-only mapping is written through /proc/self/mem", "CVE-2016-5195"),
	OUTSIDE("descriptor-link", by_descriptor_link, "a file open for reading is opened for writing through /proc/self/fd", "magic links, proc(5)"),
	OUTSIDE("dev-fd", by_dev_fd, "the same through /dev/fd", "magic links, proc(5)"),
	OUTSIDE("thread-link", by_thread_link, "the same through /proc/thread-self", "magic links, proc(5)"),
	OUTSIDE("own-root-link", by_own_root, "a file is made through /proc/self/root", "magic links, proc(5)"),
	OUTSIDE("own-directory-link", by_own_cwd, "a file is made through /proc/self/cwd", "CVE-2024-21626"),
	OUTSIDE("fallocate", allocate, "room is allocated to a file outside", "fallocate(2)"),
	OUTSIDE("flags", set_flags, "the flags of a file outside are set through a descriptor for reading", "ioctl_iflags(2)"),
	OUTSIDE("extended-flags", set_project, "FS_IOC_FSSETXATTR through a descriptor for reading", "ioctl_xfs_fsgetxattr(2)"),
	OUTSIDE("fchmod", mode_by_descriptor, "the mode is changed through a descriptor for reading", "seen past Landlock"),
	OUTSIDE("futimens", times_by_descriptor, "the times are set through a descriptor for reading", "seen past Landlock"),
	OUTSIDE("fsetxattr", attribute_by_descriptor, "an attribute is set through a descriptor for reading", "seen past Landlock"),
	{ "pipe-outside", "writes", 0, by_pipe, &has_its_pipe, "a named pipe outside takes what is written", "pinfold-namespaces(7)", "named pipe" },
	OUTSIDE("pipe-in-tmp", by_pipe_in_tmp, "a named pipe below /tmp takes what is written", "reports"),
	{ "pinfold-itself", "writes", BY_WORD | NO_MACHINE, change_program, &writes_in_the_tree, "the program pinfold is opened for writing", "CVE-2019-5736" },
	{ "module-of-pinfold", "writes", BY_WORD | NO_MACHINE, change_module, &writes_in_the_tree, "a module of pinfold's is opened for writing", "CVE-2019-5736" },
	{ "system-file", "writes", ROOT_ONLY | HARMFUL, make_system_file, &writes_in_the_tree, "a file is made in /etc", "open(2)" },
	{ "raw-device", "writes", BY_WORD | ROOT_ONLY, use_device, &writes_in_the_tree, "a disk or the machine's memory is opened for writing", "mem(4)" },
	{ "device-made", "writes", BY_WORD | ROOT_ONLY, make_device, &writes_in_the_tree, "a device node is made in the tree and opened", "mknod(2)" },
	{ "loop-control", "writes", BY_WORD | ROOT_ONLY, change_loop, &writes_in_the_tree, "/dev/loop-control makes block devices of files", "loop(4)" },
	{ "fuse", "kernel", BY_WORD, change_fuse, &writes_in_the_tree, "/dev/fuse lets the command answer as a file system", "fuse(4)" },
};
const struct class writes_class = CLASS("writing outside, magic links, devices", rows);
